/**
 * A parsed document as chunks for the index.
 *
 * A chunk never crosses a heading, is as long as the embedder reads and no longer, and ends where a block, a sentence,
 * a row or a line ends. Chunks do not overlap: the heading path travels with each, and whoever retrieves one can ask
 * for its neighbours by position, so that repeated text would only crowd the results with near doubles.
 */
import { compact } from '../parsers/clean-text';
import type { DocumentBlock, ParsedDocument } from '../parsers/parser';
import { unitsOf, type Unit } from './block-units';
import { countWords } from './count-words';
import { splitToFit } from './split-text';

export interface DocumentChunk {
  readonly text: string;
  /** The headings it stands under, outermost first. They are not part of the text. */
  readonly headings: readonly string[];
  /** Where its first block begins. Only for formats that have pages. */
  readonly page?: number;
  /** Counted from 0, in reading order. */
  readonly position: number;
  /** Counted from 0 under the nearest heading. */
  readonly positionUnderHeading: number;
}

const MIN_WORDS = 10;
const MAX_LEAD_IN_WORDS = 20;
/** A few words without a full stop: the title of a box, the caption of a table. */
const MAX_TITLE_WORDS = 8;
/** A longer heading is a paragraph that was marked as one. */
const MAX_HEADING_CHARACTERS = 300;

/**
 * @param options.maxWords the most words in a chunk, as `countWords` counts them: never fewer than white space parts.
 */
export function chunkDocument(document: ParsedDocument, options: { readonly maxWords: number }): DocumentChunk[] {
  const chunker = new Chunker(Math.max(MIN_WORDS, Math.floor(options.maxWords)));
  document.blocks.forEach((block, index) => chunker.add(block, index));
  return chunker.finish();
}

class Chunker {
  private readonly chunks: DocumentChunk[] = [];
  private path: { readonly text: string; readonly level: number }[] = [];
  private headings: readonly string[] = [];
  private headingPage: number | undefined;
  /** Whether anything came since the last heading; a heading with nothing under it is a text of its own. */
  private bare = false;
  private underHeading = 0;
  private open: Unit[] = [];
  private openWords = 0;
  /** The chunk before the open one, kept back in case the last one under the heading turns out tiny. */
  private closed: Unit[] | undefined;

  constructor(private readonly maxWords: number) {}

  add(block: DocumentBlock, index: number): void {
    if (block.kind === 'heading' && block.text.length <= MAX_HEADING_CHARACTERS) return this.addHeading(block);
    this.bare = false;
    if (this.openWords * 2 >= this.maxWords && !this.fits(block)) this.closeBefore();
    for (const unit of unitsOf(block, index, this.maxWords)) this.addUnit(unit);
  }

  finish(): DocumentChunk[] {
    this.endSection();
    return this.chunks;
  }

  private addHeading({ text, level = 1, page }: DocumentBlock): void {
    const goesUnder = this.path.length > 0 && this.path[this.path.length - 1].level < level;
    if (!goesUnder || !this.bare) this.endSection();
    this.path = [...this.path.filter((above) => above.level < level), { text, level }];
    this.headings = this.path.map((heading) => heading.text);
    this.headingPage = page;
    this.bare = true;
    this.underHeading = 0;
  }

  /** Whether a whole block that could stand in one chunk still fits into this one. */
  private fits({ text }: DocumentBlock): boolean {
    // No word is shorter than a character and its space.
    if (text.length > this.maxWords * 40) return true;
    const words = countWords(text);
    return words > this.maxWords || this.openWords + words <= this.maxWords;
  }

  private addUnit(unit: Unit): void {
    if (unit.text === '' && this.open.length === 0) return;
    const words = unit.words + this.headerWords(unit);
    if (this.open.length > 0 && this.openWords + words > this.maxWords) {
      // A few words before a sentence that fills a chunk would be left alone: they take its beginning along.
      const isCrumb = this.openWords * 4 < this.maxWords;
      if (isCrumb && !unit.header && unit.kind !== 'code') return this.addInTwo(unit);
      this.close();
    }
    this.addWhole(unit);
  }

  private addInTwo(unit: Unit): void {
    const [beginning = ''] = splitToFit(unit.text, this.maxWords - this.openWords);
    const rest = unit.text.slice(beginning.length);
    this.addWhole({ ...unit, text: beginning, words: countWords(beginning) });
    this.close();
    if (rest !== '') this.addWhole({ ...unit, text: rest, words: countWords(rest), joint: '' });
  }

  private addWhole(unit: Unit): void {
    this.openWords += unit.words + this.headerWords(unit);
    this.open.push(unit);
  }

  private headerWords(unit: Unit): number {
    const last = this.open.at(-1);
    return unit.header && last?.header !== unit.header ? unit.header.words : 0;
  }

  private close(): void {
    if (this.closed) this.emit(this.closed);
    this.closed = this.open.length > 0 ? this.open : undefined;
    this.open = [];
    this.openWords = 0;
  }

  /** Ends the chunk before a block; a question, a caption or `as follows:` goes with what it announces. */
  private closeBefore(): void {
    const last = this.open.at(-1);
    const isAlone = this.open.at(-2)?.block !== last?.block;
    const announces = last && isAlone && isLeadIn(last);
    const leadIn = announces && this.open.length > 1 ? this.open.pop() : undefined;
    this.close();
    if (leadIn) this.addUnit(leadIn);
  }

  private endSection(): void {
    if (this.bare) this.emitBareHeading();
    this.bare = false;
    if (this.closed) {
      if (this.open.length > 0) this.evenOut(this.closed);
      this.emit(this.closed);
    }
    if (this.open.length > 0) this.emit(this.open);
    this.closed = undefined;
    this.open = [];
    this.openWords = 0;
  }

  /** Moves units from the chunk before into a last one that would say next to nothing alone. */
  private evenOut(before: Unit[]): void {
    if (this.openWords * 4 >= this.maxWords) return;
    let left = wordsOf(before);
    while (before.length > 1) {
      const unit = before[before.length - 1];
      const moved = this.openWords + unit.words;
      if (moved > left - unit.words || wordsOf([unit, ...this.open]) > this.maxWords) return;
      before.pop();
      this.open.unshift(unit);
      left -= unit.words;
      this.openWords = moved;
    }
  }

  private emitBareHeading(): void {
    const text = this.headings.at(-1);
    if (text === undefined) return;
    this.push(text, this.headingPage);
  }

  private emit(units: readonly Unit[]): void {
    const text = render(units);
    if (text.trim() !== '') this.push(text, units.find(({ page }) => page !== undefined)?.page);
  }

  private push(text: string, page: number | undefined): void {
    this.chunks.push({
      text: compact(text),
      headings: this.headings,
      ...(page !== undefined && { page }),
      position: this.chunks.length,
      positionUnderHeading: this.underHeading++,
    });
  }
}

function isLeadIn({ kind, text, words }: Unit): boolean {
  if (kind !== 'paragraph' || words > MAX_LEAD_IN_WORDS) return false;
  return /[:?：？]\s*$/.test(text) || (words <= MAX_TITLE_WORDS && /[\p{L}\p{N})"'”’»]\s*$/u.test(text));
}

function wordsOf(units: readonly Unit[]): number {
  let words = 0;
  let header: Unit['header'];
  for (const unit of units) {
    words += unit.words + (unit.header && unit.header !== header ? unit.header.words : 0);
    header = unit.header;
  }
  return words;
}

function render(units: readonly Unit[]): string {
  const parts: string[] = [];
  let before: Unit | undefined;
  for (const unit of units) {
    if (before) parts.push(before.block === unit.block ? unit.joint : '\n\n');
    if (unit.header && unit.header !== before?.header) parts.push(unit.header.text, '\n');
    parts.push(unit.text);
    before = unit;
  }
  return parts.join('').trimEnd();
}
