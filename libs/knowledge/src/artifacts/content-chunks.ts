/** Content in chunks that fit into a prompt, each with where it is from (messages-api §14.6). */
import { createHash } from 'node:crypto';
import { setImmediate as breathe } from 'node:timers/promises';
import { TooLargeError, type Chunk, type IngestedDocument } from '@app/contract';
import { citationMark } from '../retrieval/citation-mark';
import { MAX_NODES, type MarkdownBlock } from './content-tree';

/** Characters of a text that are looked at for one token, at first. */
const CHARACTERS_PER_TOKEN = 8;
/** Between two blocks. */
const SEPARATOR_TOKENS = 1;
/** What is worked through before others get a turn, in characters. */
const STEP = 256 * 1024;

export interface TokenLimit {
  readonly maxTokens: number;
  /** How many a text has. */
  readonly count: (text: string) => number;
}

/**
 * Blocks of a document, as many together as fit; one that does not fit is cut between its lines or words.
 *
 * @throws TooLargeError for more than MAX_NODES chunks.
 */
export async function contentChunks(
  document: IngestedDocument,
  blocks: Iterable<MarkdownBlock>,
  limit: TokenLimit,
): Promise<Chunk[]> {
  const chunks: Chunk[] = [];
  let gathered: MarkdownBlock[] = [];
  let tokens = 0;
  let under = '';
  let underHeading = 0;
  let worked = 0;
  const flush = () => {
    const [first] = gathered;
    if (!first) return;
    if (chunks.length >= MAX_NODES) {
      throw new TooLargeError(
        `limit_exceeded: the content makes more than ${MAX_NODES} chunks. Raise max_tokens, or ask for fewer artifacts.`,
      );
    }
    const title = first.headings.join(' › ');
    underHeading = title === under ? underHeading + 1 : 0;
    under = title;
    chunks.push(chunkOf(document, gathered.map(({ text }) => text).join('\n\n'), title, chunks.length, underHeading));
    gathered = [];
    tokens = 0;
  };
  for (const block of blocks) {
    worked += block.text.length;
    const more = limit.count(block.text) + SEPARATOR_TOKENS;
    if (tokens + more > limit.maxTokens) flush();
    if (more <= limit.maxTokens) {
      gathered.push(block);
      tokens += more;
    } else {
      for (const text of cutToFit(block.text, limit)) {
        flush();
        gathered.push({ ...block, text });
        tokens = limit.maxTokens;
        worked += text.length;
        if (worked > STEP) worked = await rested();
      }
    }
    if (worked > STEP) worked = await rested();
  }
  flush();
  return chunks;
}

async function rested(): Promise<0> {
  await breathe();
  return 0;
}

function chunkOf(document: IngestedDocument, text: string, title: string, at: number, underHeading: number): Chunk {
  const id = uuidOf(JSON.stringify([document.artifact, document.doc_metadata?.hash, at, text]));
  return {
    object: 'context.chunk',
    id,
    score: 1,
    document,
    text,
    content_type: 'text/plain',
    previous_texts: [],
    next_texts: [],
    metadata: { ...(title !== '' && { title }), shorter_id: citationMark(id), abs_idx: at, rel_idx: underHeading },
  };
}

/** The same for the same content: a UUID of version 8 (RFC 9562). */
function uuidOf(content: string): string {
  const hex = createHash('sha256').update(content).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Pieces of a text that fit. */
function* cutToFit(text: string, { maxTokens, count }: TokenLimit): Generator<string> {
  for (let rest = text; rest !== '';) {
    let window = maxTokens * CHARACTERS_PER_TOKEN;
    while (window < rest.length && count(rest.slice(0, window)) <= maxTokens) window *= 2;
    let [fits, tooLong] = [0, Math.min(window, rest.length) + 1];
    while (tooLong - fits > 1) {
      const middle = (fits + tooLong) >> 1;
      if (count(rest.slice(0, middle)) <= maxTokens) fits = middle;
      else tooLong = middle;
    }
    // A single character may have more tokens than fit.
    const piece = fits >= rest.length ? rest : rest.slice(0, goodEnd(rest, Math.max(1, fits)));
    if (piece.trim() !== '') yield piece.trim();
    rest = rest.slice(piece.length);
    if (rest.trim() === '') return;
  }
}

/** Behind a line or a word, where one ends in the second half of what fits; never inside a character of two units. */
function goodEnd(text: string, fits: number): number {
  if (/\s/.test(text.charAt(fits))) return fits;
  const line = text.lastIndexOf('\n', fits - 1) + 1;
  if (line > fits / 2) return line;
  const word = text.slice(0, fits).search(/\s\S*$/) + 1;
  if (word > fits / 2) return word;
  return /[\uD800-\uDBFF]/.test(text.charAt(fits - 1)) ? Math.max(fits - 1, 0) || 2 : fits;
}
