/**
 * One model call as block events: text and thinking as they come, each tool call once it is complete.
 *
 * Part in, events out, so that the turn alone decides when they leave; and no generator of its own, because every
 * part of every stream comes through here. A call's block is written only when the model has closed it: what parses
 * early may be the beginning of something longer.
 */
import { PlatformError, type StreamEvent } from '@app/contract';
import type { ChatPart, ConversationBlock } from '@app/models';
import type { ToolCall } from '@app/tools';
import type { BlockEvents, OpenBlock } from './block-events';
import { SpokenWords } from './spoken-words';

export type Finish = Extract<ChatPart, { type: 'finish' }>;
type WrittenCall = Extract<ChatPart, { type: 'tool_call' }>;

export interface Said {
  /** As the model should see its own words in the next call. */
  readonly content: readonly ConversationBlock[];
  readonly calls: readonly ToolCall[];
  readonly finish: Finish;
}

/** `omitted`: that it thinks, not what (anthropic-compat §8). */
export type ShownThinking = 'whole' | 'omitted' | 'none';

export interface SpeechOptions {
  /** How much the caller sees of what the model thinks. */
  readonly thinking: ShownThinking;
  /** Makes a call of what the model wrote; undefined drops it. */
  readonly toCall: (part: WrittenCall) => Promise<ToolCall | undefined>;
  /** Whether a call with a problem is repaired, so that the caller never sees it as it is. */
  readonly withholds: boolean;
  /** Told of each call as soon as it is complete, while the model may still be speaking. */
  readonly onCall: (call: ToolCall) => void;
}

const NOTHING: readonly StreamEvent[] = [];

export class Speech {
  private readonly content: ConversationBlock[] = [];
  private readonly calls: ToolCall[] = [];
  private open: OpenBlock | undefined;
  /** What the open block holds so far. */
  private readonly words = new SpokenWords();
  private finish: Finish | undefined;

  constructor(
    private readonly blocks: BlockEvents,
    private readonly options: SpeechOptions,
  ) {}

  /** The events of one part of the model call. Only a call that is checked has to be waited for. */
  hear(part: ChatPart): readonly StreamEvent[] | Promise<readonly StreamEvent[]> {
    switch (part.type) {
      case 'text':
        return part.text === '' ? NOTHING : this.say('text', part.text);
      case 'thinking':
        return part.thinking === '' || this.options.thinking === 'none' ? NOTHING : this.say('thinking', part.thinking);
      case 'tool_call_start':
        return this.close();
      case 'tool_call':
        return this.call(part);
      case 'finish':
        this.finish = part;
        return NOTHING;
      case 'started':
        return NOTHING;
    }
  }

  /**
   * The same for words that go on in the open block, as nearly all parts do, without a list and outside of the turn.
   *
   * @param tell takes the event, or refuses it by false.
   * @returns false for a part that is still to be heard: nothing has happened.
   */
  hearAtOnce(part: ChatPart, tell: (event: StreamEvent) => boolean): boolean {
    const { open } = this;
    if (!open || part.type !== open.type) return false;
    const said = part.type === 'text' ? part.text : part.thinking;
    if (!this.isOmitted(open) && !tell(this.blocks.delta(open, said))) return false;
    this.words.add(said);
    return true;
  }

  /** The events that are still owed when the model call is over. */
  close(): readonly StreamEvent[] {
    const { open } = this;
    if (!open) return NOTHING;
    const words = this.words.take();
    this.content.push(open.type === 'thinking' ? { type: 'thinking', thinking: words } : { type: 'text', text: words });
    this.open = undefined;
    return this.blocks.close(open);
  }

  /** @throws PlatformError `api_error` when the model has not come to an end. */
  said(): Said {
    const { content, calls, finish } = this;
    if (!finish) throw new PlatformError('api_error', 'The model stopped in the middle of its answer.');
    return { content, calls, finish };
  }

  private say(type: OpenBlock['type'], said: string): readonly StreamEvent[] {
    if (this.open?.type === type) {
      this.words.add(said);
      return this.delta(this.open, said);
    }
    const closed = this.close();
    const { block, event } = this.blocks.open(type);
    this.open = block;
    this.words.add(said);
    return [...closed, event, ...this.delta(block, said)];
  }

  private delta(block: OpenBlock, said: string): readonly StreamEvent[] {
    return this.isOmitted(block) ? NOTHING : [this.blocks.delta(block, said)];
  }

  private isOmitted({ type }: OpenBlock): boolean {
    return type === 'thinking' && this.options.thinking === 'omitted';
  }

  private async call(part: WrittenCall): Promise<readonly StreamEvent[]> {
    const closed = this.close();
    const call = await this.options.toCall(part);
    if (!call) return closed;
    const { id, name, input, problem } = call;
    this.content.push({ type: 'tool_use', id, name, input });
    this.calls.push(call);
    if (problem !== undefined && this.options.withholds) return closed;
    this.options.onCall(call);
    return [...closed, ...this.blocks.call(call)];
  }
}
