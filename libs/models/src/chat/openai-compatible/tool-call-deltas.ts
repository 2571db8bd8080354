/**
 * The pieces in which model servers send structured tool calls, put together again.
 *
 * Calls leave one after the other, never overlapping, whatever the order of their pieces: a call is closed when the
 * next one has begun and its own arguments are a whole JSON document, or else when the answer ends. Arguments are
 * not repaired here.
 */
import { newToolUseId, PlatformError, TOOL_USE_ID } from '@app/contract';
import type { ChatPart } from '../chat-model';
import { ArgumentsText } from './arguments-text';
import { cleanJson, withoutNul } from './whole-characters';

/** One entry of `delta.tool_calls`, as liberal as servers are. */
export interface ToolCallDelta {
  readonly index?: unknown;
  readonly id?: unknown;
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown } | null;
}

interface PendingCall {
  /** The id by which the model server means it; empty until it has said one. */
  upstreamId: string;
  /** The id by which everyone above means it; empty until the call has begun. */
  id: string;
  name: string;
  readonly arguments: ArgumentsText;
}

const MAX_ID_CHARACTERS = 256;
/** Of one answer; far above what anything may run, so that only a model that has lost its way meets them. */
const MAX_CALLS = 256;
const MAX_ARGUMENTS_CHARACTERS = 4 * 1024 * 1024;

export class ToolCallDeltas {
  /** Calls that are not closed, oldest first. Only the first of them may have begun. */
  private readonly open: PendingCall[] = [];
  private readonly byIndex = new Map<number, PendingCall>();
  private last: PendingCall | undefined;
  private calls = 0;
  private argumentsCharacters = 0;

  /**
   * @param emit gets each part as soon as it is certain.
   * @param offered the names of the tools of this request.
   * @param usedIds ids that no call may have, and to which those of the calls are added.
   */
  constructor(
    private readonly emit: (part: ChatPart) => void,
    private readonly offered: ReadonlySet<string>,
    private readonly usedIds: Set<string>,
  ) {}

  /** Whether there has been any call. */
  get any(): boolean {
    return this.calls > 0;
  }

  /** Whether a call is still waiting for its end. */
  get pending(): boolean {
    return this.open.length > 0;
  }

  /** @throws PlatformError `api_error` beyond 256 calls or 4 MiB of arguments. */
  add(delta: ToolCallDelta): void {
    const id = typeof delta.id === 'string' ? delta.id : '';
    const name = typeof delta.function?.name === 'string' ? withoutNul(delta.function.name).toWellFormed() : '';
    const piece = withoutNul(argumentsText(delta.function?.arguments));
    // Says nothing, so it begins nothing.
    if (id === '' && name === '' && piece === '') return;
    const call = this.callFor(delta.index, id, name, piece);
    call.upstreamId ||= id;
    if (name !== '' && name !== call.name) {
      // A name in pieces: they come before the arguments, and stop once they spell a tool.
      if (call.name === '') call.name = name;
      else if (call.arguments.text === '' && !this.offered.has(call.name)) call.name += name;
    }
    if (piece !== '') this.append(call, piece);
    this.advance(false);
  }

  /** Closes the calls that are whole, up to the first that is not. Text may follow where none is left. */
  closeWhole(): void {
    this.advance(true);
  }

  /** The answer is over: closes every call, whole or not. */
  end(): void {
    while (this.open.length > 0) this.close(this.open[0]!);
  }

  /** The call that a piece belongs to: by index, by id, or the one that was last spoken of. */
  private callFor(index: unknown, id: string, name: string, piece: string): PendingCall {
    const known = typeof index === 'number' ? this.byIndex.get(index) : this.byUpstreamId(id);
    if (known && !this.isAnother(known, id, name, piece)) return (this.last = known);
    const { last } = this;
    const nameless = id === '' && name === '';
    if (!known && nameless && last && this.open.includes(last) && !last.arguments.isWhole) return last;
    const call = { upstreamId: '', id: '', name: '', arguments: new ArgumentsText() };
    this.open.push(call);
    if (typeof index === 'number') this.byIndex.set(index, call);
    this.calls++;
    if (this.calls > MAX_CALLS) throw tooMuch(`${MAX_CALLS} calls`);
    return (this.last = call);
  }

  private byUpstreamId(id: string): PendingCall | undefined {
    return id === '' ? undefined : this.open.find(({ upstreamId }) => upstreamId === id);
  }

  /** Some servers give every call the same index: another id, or a name after whole arguments, tells them apart. */
  private isAnother(known: PendingCall, id: string, name: string, piece: string): boolean {
    if (id !== '' && known.upstreamId !== '') return id !== known.upstreamId;
    if (name !== '' && !this.open.includes(known)) return true;
    return id === '' && name !== '' && piece !== '' && known.arguments.isWhole;
  }

  private advance(closeLast: boolean): void {
    for (let first = this.open[0]; first; first = this.open[0]) {
      const named = this.offered.has(first.name) || (first.name !== '' && first.arguments.text !== '');
      if (named) this.begin(first);
      if (!named || (this.open.length === 1 && !closeLast) || !first.arguments.isWhole) return;
      this.close(first);
    }
  }

  private begin(call: PendingCall): void {
    if (call.id !== '') return;
    if (call.name === '') call.name = this.offered.size === 1 ? [...this.offered][0]! : 'unknown';
    call.id = this.uniqueId(call.upstreamId);
    this.emit({ type: 'tool_call_start', id: call.id, name: call.name });
  }

  private close(call: PendingCall): void {
    this.begin(call);
    this.open.shift();
    this.emit({ type: 'tool_call', id: call.id, name: call.name, arguments: cleanJson(call.arguments.text) || '{}' });
  }

  private append(call: PendingCall, piece: string): void {
    const before = call.arguments.text.length;
    call.arguments.append(piece);
    this.argumentsCharacters += call.arguments.text.length - before;
    if (this.argumentsCharacters > MAX_ARGUMENTS_CHARACTERS) throw tooMuch('4 MiB of arguments');
  }

  private uniqueId(wanted: string): string {
    const usable = wanted.length <= MAX_ID_CHARACTERS && TOOL_USE_ID.test(wanted) && !this.usedIds.has(wanted);
    const id = usable ? wanted : newToolUseId();
    this.usedIds.add(id);
    return id;
  }
}

function argumentsText(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : '';
}

const tooMuch = (limit: string) => new PlatformError('api_error', `The model wrote more than ${limit} in one answer.`);
