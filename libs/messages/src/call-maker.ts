import { MAX_TOOL_NAME, newServerToolUseId, newToolUseId, PlatformError, TOOL_USE_ID } from '@app/contract';
import type { ChatPart, ConversationMessage } from '@app/models';
import { abortSignalOf, type StopSignal } from '@app/platform';
import type { ToolBox, ToolCall } from '@app/tools';

/** The limits are those of `ToolBox.arguments` (SEC-95). */
const WHAT_FITS = 'a JSON object of at most 256 KiB and 32 levels';

type WrittenCall = Extract<ChatPart, { type: 'tool_call' }>;

/**
 * Turns what the model wrote into calls with ids that are unique in the conversation.
 *
 * Model servers count `call_0`, `call_1` anew in every answer, and clients that index by id break on it
 * (anthropic-compat §6.6). Where parallel calls are switched off, only the first of a model call counts.
 */
export function callMaker(toolBox: ToolBox, history: readonly ConversationMessage[]) {
  const taken = new Set(
    history.flatMap(({ content }) => content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []))),
  );
  const idOf = (call: WrittenCall): string => {
    if (!toolBox.isCallers(call.name)) return newServerToolUseId();
    const usable = TOOL_USE_ID.test(call.id) && call.id.length <= 256 && !taken.has(call.id);
    return usable ? call.id : newToolUseId();
  };

  return {
    /**
     * A maker for the next model call.
     *
     * @param mayRepair whether a call that does not fit can still be repaired; after that, arguments that are no
     *   object are the end.
     */
    next(mayRepair: boolean, signal: StopSignal): (call: WrittenCall) => Promise<ToolCall | undefined> {
      let made = 0;
      return async (call) => {
        // Where no tool is offered no call may come out, whatever the model makes of it (anthropic-compat §6.2).
        if (toolBox.declarations.length === 0) return undefined;
        if (made++ > 0 && !toolBox.parallel) return undefined;
        // A longer one is no tool's, and could not come back as history.
        const name = call.name.slice(0, MAX_TOOL_NAME).toWellFormed();
        const input = toolBox.arguments(name, call.arguments);
        const id = idOf(call);
        taken.add(id);
        if (!toolBox.isCallers(name)) return { id, name, input: input ?? {} };
        if (input) return { id, name, input, ...(await toolBox.findings({ id, name, input }, abortSignalOf(signal))) };
        if (mayRepair) return { id, name, input: {}, problem: `The arguments are not ${WHAT_FITS}.` };
        throw new PlatformError('api_error', `The model called ${name} with arguments that are not ${WHAT_FITS}.`);
      };
    },
  };
}
