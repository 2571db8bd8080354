/**
 * Ends what a model says at a stop sequence (messages-api §3.1), whatever its server makes of them.
 *
 * Parts in, parts out. Only text counts: a sequence in the model's thinking or in a tool's arguments ends nothing.
 * Text that may be the beginning of a sequence is held back until it is decided.
 */
import type { ChatPart } from '@app/models';

/** Where there are no sequences nothing stands between the model and the turn. */
export const stoppedAt = (parts: AsyncIterable<ChatPart>, sequences: readonly string[]): AsyncIterable<ChatPart> =>
  sequences.length > 0 ? stopping(parts, sequences) : parts;

/** Leaving the loop closes the connection to the model server: nothing is generated that nobody will read. */
async function* stopping(parts: AsyncIterable<ChatPart>, sequences: readonly string[]): AsyncGenerator<ChatPart> {
  let held = '';
  for await (const part of parts) {
    if (part.type === 'thinking') {
      yield part;
      continue;
    }
    if (part.type !== 'text') {
      // A call or the end: what was held back began nothing.
      if (held) yield { type: 'text', text: held };
      held = '';
      yield part;
      continue;
    }
    const said = held + part.text;
    const hit = firstHit(said, sequences);
    if (hit) {
      if (hit.at > 0) yield { type: 'text', text: said.slice(0, hit.at) };
      yield { type: 'finish', reason: 'stop', stopSequence: hit.sequence };
      return;
    }
    const decided = undecidedFrom(said, sequences);
    held = said.slice(decided);
    if (decided > 0) yield { type: 'text', text: said.slice(0, decided) };
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
