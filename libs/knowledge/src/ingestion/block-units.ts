/**
 * Blocks as units: the smallest parts that a chunk is made of. A sentence, an item, a row, a line of code; only what
 * is longer than a whole chunk is cut further.
 */
import type { DocumentBlock } from '../parsers/parser';
import { countWords } from './count-words';
import { sentencesToFit, splitToFit } from './split-text';

export interface Unit {
  readonly text: string;
  readonly words: number;
  /** What stands between this unit and the one before it in the same block. */
  readonly joint: '\n' | '';
  readonly block: number;
  readonly kind: DocumentBlock['kind'];
  readonly page?: number;
  /** The header of the table that this row belongs to, repeated wherever the table goes on. */
  readonly header?: { readonly text: string; readonly words: number };
}

type Part = Pick<Unit, 'text' | 'joint' | 'header'>;

export function* unitsOf({ kind, text, page }: DocumentBlock, block: number, maxWords: number): Generator<Unit> {
  for (const { text: own, joint, header } of partsOf(kind, text, maxWords)) {
    yield { text: own, words: countWords(own), joint, block, kind, page, header };
  }
}

function partsOf(kind: DocumentBlock['kind'], text: string, maxWords: number): Iterable<Part> {
  if (kind === 'table') return rows(text, maxWords);
  return lines(text, maxWords, kind === 'code' ? splitToFit : sentencesToFit);
}

type Split = (text: string, maxWords: number) => Iterable<string>;

function* lines(text: string, maxWords: number, split: Split): Generator<Part> {
  let joint: Part['joint'] = '';
  let blank = false;
  for (const line of eachLine(text)) {
    const isBlank = line.trim() === '';
    if (isBlank) {
      if (!blank) yield { text: '', joint };
    } else if (line.length <= maxWords) {
      // It fits even if each of its characters is a word, and is too short to gain from a cut at a sentence.
      yield { text: line, joint };
    } else {
      for (const piece of split(withoutGaps(line), maxWords)) {
        yield { text: piece, joint };
        joint = '';
      }
    }
    blank = isBlank;
    joint = '\n';
  }
}

/** White space has no words, so that no count would ever end a line of it. */
const withoutGaps = (line: string) => (line.length > 1000 ? line.replace(/\s{40,}/g, ' '.repeat(8)) : line);

function* eachLine(text: string): Generator<string> {
  for (let from = 0; from <= text.length;) {
    const end = text.indexOf('\n', from);
    yield text.slice(from, end === -1 ? text.length : end);
    from = end === -1 ? text.length + 1 : end + 1;
  }
}

function* rows(table: string, maxWords: number): Generator<Part> {
  const [names, rule, ...body] = table.split('\n');
  const header = { text: `${names}\n${rule}`, words: countWords(`${names} ${rule}`) };
  if (header.words > maxWords / 2 || body.length === 0) {
    // A header that would fill the chunks is said once, and rows then stand alone.
    const all = /\p{L}|\p{N}/u.test(names) ? [names, ...body] : body;
    for (const row of all) yield* ownLine(row, maxWords);
    return;
  }
  for (const row of body) {
    if (header.words + countWords(row) <= maxWords) yield { text: row, joint: '\n', header };
    else yield* longRow(names, row, maxWords);
  }
}

function* ownLine(text: string, maxWords: number): Generator<Part> {
  let joint: Part['joint'] = '\n';
  for (const piece of sentencesToFit(text, maxWords)) {
    yield { text: piece, joint };
    joint = '';
  }
}

/** A row too long for a chunk is read as `Column: value` lines. */
function* longRow(names: string, row: string, maxWords: number): Generator<Part> {
  const columns = cellsOf(names);
  for (const [at, cell] of cellsOf(row).entries()) {
    if (cell === '') continue;
    yield* ownLine(columns[at] ? `${columns[at]}: ${cell}` : cell, maxWords);
  }
}

const cellsOf = (row: string) =>
  row
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
