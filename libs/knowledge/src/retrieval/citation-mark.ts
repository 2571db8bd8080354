import { createHash } from 'node:crypto';

const LENGTH = 4;

/** The mark by which an answer cites a chunk: four of A-Z 0-9, always the same for the same chunk (messages-api §6.4). */
export function citationMark(chunkId: string): string {
  const number = createHash('sha256').update(chunkId).digest().readUIntBE(0, 6) % 36 ** LENGTH;
  return number.toString(36).toUpperCase().padStart(LENGTH, '0');
}
