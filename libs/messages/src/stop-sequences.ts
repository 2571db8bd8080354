/**
 * Ends what a model says at a stop sequence (messages-api §3.1), whatever its server makes of them.
 *
 * Parts in, parts out. Only text counts: a sequence in the model's thinking or in a tool's arguments ends nothing.
 * Text that may be the beginning of a sequence is held back until it is decided.
 */
import type { ChatPart, TakeAtOnce } from '@app/models';

export class StopWatch {
  private held = '';

  /**
   * @param sequences none: then nothing stands between the model and the turn.
   * @param thinkingShows whether thinking between two texts makes them blocks of their own; otherwise they are one text.
   */
  constructor(
    private readonly sequences: readonly string[],
    private readonly thinkingShows = false,
  ) {}

  watch(parts: AsyncIterable<ChatPart>): AsyncIterable<ChatPart> {
    return this.sequences.length > 0 ? this.stopping(parts) : parts;
  }

  /** The same for a part outside of the iteration. A sequence that is complete is left to the iteration, which it ends. */
  hearAtOnce(part: ChatPart, take: TakeAtOnce): boolean {
    if (this.sequences.length === 0) return take(part);
    if (part.type === 'thinking') return (this.held === '' || !this.thinkingShows) && take(part);
    if (part.type !== 'text') return false;
    const said = this.held + part.text;
    if (firstHit(said, this.sequences)) return false;
    const decided = undecidedFrom(said, this.sequences);
    if (decided > 0 && !take({ type: 'text', text: said.slice(0, decided) })) return false;
    this.held = said.slice(decided);
    return true;
  }

  /** Leaving the loop closes the connection to the model server: nothing is generated that nobody will read. */
  private async *stopping(parts: AsyncIterable<ChatPart>): AsyncGenerator<ChatPart> {
    for await (const part of parts) {
      if (part.type === 'thinking' && !this.thinkingShows) {
        yield part;
        continue;
      }
      const { held } = this;
      if (part.type !== 'text') {
        // Another block or the end: what was held back began nothing.
        if (held) yield { type: 'text', text: held };
        this.held = '';
        yield part;
        continue;
      }
      const said = held + part.text;
      const hit = firstHit(said, this.sequences);
      if (hit) {
        if (hit.at > 0) yield { type: 'text', text: said.slice(0, hit.at) };
        yield { type: 'finish', reason: 'stop', stopSequence: hit.sequence };
        return;
      }
      const decided = undecidedFrom(said, this.sequences);
      this.held = said.slice(decided);
      if (decided > 0) yield { type: 'text', text: said.slice(0, decided) };
    }
  }
}

/** The sequence that is complete first; of those, the longest. Chunks make no difference to which it is. */
function firstHit(said: string, sequences: readonly string[]): { at: number; sequence: string } | undefined {
  let hit: { at: number; sequence: string } | undefined;
  for (const sequence of sequences) {
    const at = said.indexOf(sequence);
    if (at < 0) continue;
    const end = at + sequence.length;
    const best = hit ? hit.at + hit.sequence.length : Infinity;
    if (end < best || (end === best && at < hit!.at)) hit = { at, sequence };
  }
  return hit;
}

/** From where on the text may be the beginning of a sequence. */
function undecidedFrom(said: string, sequences: readonly string[]): number {
  let from = said.length;
  for (const sequence of sequences) {
    const first = sequence[0]!;
    let at = said.indexOf(first, Math.max(0, said.length - sequence.length + 1));
    while (at >= 0 && at < from && !sequence.startsWith(said.slice(at))) at = said.indexOf(first, at + 1);
    if (at >= 0) from = Math.min(from, at);
  }
  return from;
}
