/**
 * Sees to it that `tool_choice` any or tool ends in a call (messages-api §5.2).
 *
 * Forcing is the model server's business, but some ignore it. What the model says before its call is held back until
 * the call begins. A model that answers in words is asked once more, and the caller never reads those words: with a
 * forced tool a client expects a call, and takes text for the whole answer.
 */
import { PlatformError } from '@app/contract';
import type { ChatModelInfo, ChatPart, ToolForcing } from '@app/models';
import type { ToolBox } from '@app/tools';

export class ForcedCall {
  private readonly names: ReadonlySet<string>;
  private missing: boolean;
  private asked = 0;
  private words = '';

  constructor(
    private readonly toolBox: ToolBox,
    private readonly model: ChatModelInfo,
  ) {
    this.names = new Set(toolBox.declarations.map(({ name }) => name));
    this.missing = toolBox.firstForcing.type === 'any' || toolBox.firstForcing.type === 'tool';
  }

  /** For the next model call: forced until the call has come, then free. */
  get forcing(): ToolForcing {
    if (this.missing) return this.toolBox.firstForcing;
    return { type: this.names.size > 0 ? 'auto' : 'none' };
  }

  /** The parts of a model call, without words in place of a forced call. */
  watch(parts: AsyncIterable<ChatPart>): AsyncIterable<ChatPart> {
    return this.missing && !this.model.asksForMissingArguments ? this.holding(parts) : parts;
  }

  /**
   * What to tell a model that has not called, and the words it said instead; undefined when it may go on.
   *
   * @throws PlatformError `api_error` when it was told before.
   */
  reminder(): { readonly instead: string; readonly sentence: string } | undefined {
    this.asked++;
    if (this.model.asksForMissingArguments) this.missing = false;
    if (!this.missing) return undefined;
    const { firstForcing } = this.toolBox;
    const wanted = firstForcing.type === 'tool' ? `the tool ${firstForcing.name}` : 'one of the tools';
    if (this.asked > 1) {
      throw new PlatformError(
        'api_error',
        `The model ${this.model.id} did not call ${wanted}, as tool_choice asks, and not when it was told to either.`,
      );
    }
    return { instead: this.words, sentence: `Call ${wanted} now. Do not answer in words.` };
  }

  /** The call that came is not the one: it is to be made again. */
  again(): void {
    const { type } = this.toolBox.firstForcing;
    this.missing = type === 'any' || type === 'tool';
  }

  private async *holding(parts: AsyncIterable<ChatPart>): AsyncGenerator<ChatPart> {
    const held: ChatPart[] = [];
    let called = false;
    for await (const part of parts) {
      if (part.type === 'text' && !called) {
        held.push(part);
        continue;
      }
      if (part.type === 'tool_call_start' || part.type === 'tool_call') called = true;
      if (part.type === 'tool_call' && this.names.has(part.name)) this.missing = false;
      if (part.type === 'finish') {
        // Cut by a limit or at a stop sequence: that is for the caller to see.
        if (part.reason === 'length' || part.reason === 'content_filter' || part.stopSequence !== undefined) {
          this.missing = false;
        } else if (!called) {
          this.words = held.splice(0).reduce((words, said) => words + (said.type === 'text' ? said.text : ''), '');
        }
      }
      if (called || part.type === 'finish') yield* held.splice(0);
      yield part;
    }
  }
}
