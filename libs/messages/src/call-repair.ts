/**
 * Gives the model one more round when it called a tool of the caller's with arguments that do not fit its schema.
 *
 * What is wrong is told as the result of that call, in a conversation that the caller does not see.
 */
import type { ConversationMessage } from '@app/models';
import type { ToolCall } from '@app/tools';

type Result = Extract<ConversationMessage['content'][number], { type: 'tool_result' }>;

export class CallRepair {
  private used = false;

  /** Whether a call that does not fit can still be repaired. */
  get isOpen(): boolean {
    return !this.used;
  }

  /**
   * Results for the caller's calls of one model call, if one of them is to be made again; undefined otherwise.
   * Those that fit have left the server already, and their results come with the next request.
   */
  begin(callers: readonly ToolCall[]): readonly Result[] | undefined {
    if (this.used || callers.every(({ problem }) => problem === undefined)) return undefined;
    this.used = true;
    return callers.map(({ id, problem }) => ({
      type: 'tool_result',
      toolUseId: id,
      content:
        problem === undefined
          ? 'This call was accepted. Do not make it again; its result follows later.'
          : `invalid_tool_arguments: ${problem}. Make this call again with arguments that fit the schema of the tool.`,
      isError: problem !== undefined,
    }));
  }
}
