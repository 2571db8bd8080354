import type { DocumentBlock } from './parser';
import { UnsafeFileError } from './parser-errors';

/** Twenty thousand pages of text have about as many; a file of single letters and blank lines has more. */
export const MAX_BLOCKS = 500_000;

/** @throws UnsafeFileError */
export function pushBlock(blocks: DocumentBlock[], block: DocumentBlock): void {
  if (blocks.length >= MAX_BLOCKS) {
    throw new UnsafeFileError(`the text falls into more than ${MAX_BLOCKS} paragraphs. Split it into several files.`);
  }
  blocks.push(block);
}
