import type { ReadChunk } from './document-reader';

/** Words of a passage at most, however much an embedder reads: what is longer is about more than one thing. */
const LONGEST_PASSAGE = 220;
/** Words of the headings that are embedded with a passage. */
const HEADING_WORDS = 12;

/** How long passages may be for an embedder that reads `maxWords`, so that their headings fit in too. */
export const passageWords = (maxWords: number): number =>
  Math.min(maxWords, LONGEST_PASSAGE + HEADING_WORDS) - HEADING_WORDS;

/** A passage as it is embedded: after the headings above it, of which the innermost say most. */
export function embeddingText({ headings, text }: Pick<ReadChunk, 'headings' | 'text'>): string {
  const words = headings.join(': ').split(/\s+/).filter(Boolean).slice(-HEADING_WORDS);
  return words.length > 0 ? `${words.join(' ')}\n${text}` : text;
}
