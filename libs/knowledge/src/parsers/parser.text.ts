/**
 * Plain text, and whatever is written to be read as such: logs, configuration, source code.
 *
 * Paragraphs are what blank lines part. Wrapped prose is joined; lines that mean something as lines (tables drawn with
 * characters, code, records) are kept as they are.
 */
import { decodeText } from './charset';
import { compact, onOneLine } from './clean-text';
import { pushBlock } from './block-limit';
import type { DocumentBlock, ParsedDocument, Parser } from './parser';
import { UnsupportedFileError } from './parser-errors';
import { isContents, isContentsTitle } from './text-contents';
import { drawnTable } from './text-tables';
import { headingOf, type TextHeading } from './text-headings';

export const textParser: Parser = {
  format: 'text',
  extensions: (
    '.txt .text .log .json .jsonl .ndjson .yaml .yml .toml .ini .conf .cfg .properties .env .xml .rst .adoc .org ' +
    '.tex .sql .py .js .mjs .cjs .ts .tsx .jsx .sh .bash .ps1 .bat .c .h .cc .cpp .hpp .cs .java .kt .go .rs .rb .php .pl .lua ' +
    '.r .swift .scala .css .scss .diff .patch .srt .vtt'
  ).split(' '),

  async parse({ bytes, name, charset }) {
    const text = decodeText(bytes, charset);
    if (text.trim() === '') throw new UnsupportedFileError('the file is empty, or has nothing but white space.');
    // Only prose has headings and wrapped lines; in the others a line is a line.
    return PROSE.test(name) || !name.includes('.') ? readText(text) : readRecords(text);
  },
};

const PROSE = /\.(txt|text|rst|adoc|org|tex)$/i;
/** Nobody writes a longer paragraph; what has no blank lines is parted here. */
const MAX_PARAGRAPH_LINES = 500;
const MAX_LIST_CHARACTERS = 20_000;

/** Prose: headings, paragraphs and lists, told by how the lines lie. */
export function readText(text: string): ParsedDocument {
  const blocks: DocumentBlock[] = [];
  let inContents = false;
  for (const lines of paragraphsOf(text)) {
    if (inContents && isContents(lines)) continue;
    inContents = isContentsTitle(lines);
    if (inContents) continue;
    const heading = headingOf(lines);
    if (heading) addHeading(blocks, heading);
    else addBlock(blocks, blockOf(lines));
  }
  return { format: 'text', blocks };
}

function readRecords(text: string): ParsedDocument {
  const blocks: DocumentBlock[] = [];
  for (const lines of paragraphsOf(text)) pushBlock(blocks, { kind: 'code', text: compact(lines.join('\n')) });
  return { format: 'text', blocks };
}

function addHeading(blocks: DocumentBlock[], { text, level, rest }: TextHeading): void {
  pushBlock(blocks, { kind: 'heading', text, level });
  if (rest.length > 0) addBlock(blocks, blockOf(rest));
}

/** Items with blank lines between them are one list still. */
function addBlock(blocks: DocumentBlock[], block: DocumentBlock | undefined): void {
  if (!block) return;
  const { kind, text } = block;
  const last = blocks.at(-1);
  if (kind === 'list' && last?.kind === 'list' && last.text.length < MAX_LIST_CHARACTERS) {
    blocks[blocks.length - 1] = { kind, text: `${last.text}\n${text}` };
  } else pushBlock(blocks, { kind, text: compact(text) });
}

/** Groups of lines between blank lines, read one at a time so that a large file is not held twice. */
function* paragraphsOf(text: string): Generator<string[]> {
  let lines: string[] = [];
  for (let from = 0; from < text.length;) {
    const end = text.indexOf('\n', from);
    const line = text.slice(from, end === -1 ? text.length : end).trimEnd();
    from = end === -1 ? text.length : end + 1;
    if (line !== '') lines.push(line);
    if ((line === '' && lines.length > 0) || lines.length >= MAX_PARAGRAPH_LINES) {
      yield lines;
      lines = [];
    }
  }
  if (lines.length > 0) yield lines;
}

const HORIZONTAL_RULE = /^\s*(?:[-=_*~─—]\s?){3,}$/;
const BULLET = /^\s*(?:[-*•·‣◦–+o]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s+\S/;
/** Drawn with characters, or lined up with runs of spaces: the layout is the meaning. */
const DRAWN = /[|│┃]|[-=_+─━]{4,}|\S(?: {3,}|\t)\S/;

function blockOf(lines: readonly string[]): DocumentBlock | undefined {
  if (lines.length === 1 && HORIZONTAL_RULE.test(lines[0])) return undefined;
  const plain = lines.map((line) => line.trim());
  if (lines.length === 1) return { kind: BULLET.test(lines[0]) ? 'list' : 'paragraph', text: bulletLine(lines[0]) };
  if (BULLET.test(lines[0])) return { kind: 'list', text: joinItems(lines) };
  const table = drawnTable(lines);
  if (table !== undefined) return { kind: 'table', text: table };
  const drawn = lines.filter((line) => DRAWN.test(line)).length;
  if (drawn * 3 >= lines.length || !isWrapped(plain)) return { kind: 'code', text: dedent(lines) };
  return { kind: 'paragraph', text: onOneLine(plain.join(' ')) };
}

const bulletLine = (line: string) => onOneLine(line).replace(/^[*•·‣◦–+o]\s+(?=\S)/, '- ');

/** Lines that begin no item go on with the one before. */
function joinItems(lines: readonly string[]): string {
  const items: string[] = [];
  const margin = indentOf(lines[0]);
  for (const line of lines) {
    if (BULLET.test(line)) {
      items.push('  '.repeat(Math.min(4, Math.max(0, Math.ceil((indentOf(line) - margin) / 4)))) + bulletLine(line));
    } else items[items.length - 1] += ` ${onOneLine(line)}`;
  }
  return items.join('\n');
}

/**
 * Whether the breaks come from wrapping: each line but the last is so long that the first word of the next would
 * hardly have fitted, or the text simply reads on in lower case.
 */
function isWrapped(lines: readonly string[]): boolean {
  const width = lines.reduce((longest, line) => Math.max(longest, line.length), 0);
  if (width < 30) return false;
  let full = 0;
  for (let at = 0; at < lines.length - 1; at++) {
    const next = lines[at + 1].split(' ', 1)[0].length;
    if (lines[at].length + next + 1 >= width * 0.85 || /^[\p{Ll}(«"']/u.test(lines[at + 1])) full++;
  }
  return full >= (lines.length - 1) * 0.7;
}

const indentOf = (line: string) => line.length - line.trimStart().length;

function dedent(lines: readonly string[]): string {
  const margin = lines.reduce((least, line) => Math.min(least, indentOf(line)), Number.POSITIVE_INFINITY);
  return lines.map((line) => line.slice(margin)).join('\n');
}
