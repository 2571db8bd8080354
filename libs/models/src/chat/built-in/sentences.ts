/**
 * A passage as things that can be quoted: sentences, list items, table rows.
 *
 * Reads plain text and Markdown line by line, in one pass and without backtracking. Each thing knows the headings
 * above it, because "25 days" under "Vacation" answers what "25 days" alone does not.
 */

export interface Sentence {
  /** What is said when it is quoted. */
  readonly text: string;
  readonly kind: 'prose' | 'item' | 'row';
  /** The headings above it, outermost first; of a row also its column names. */
  readonly headings: readonly string[];
  /** Sentences of one paragraph, list or table share it. */
  readonly paragraph: number;
}

const MAX_SENTENCE = 1200;
/** The level of a heading that only looks like one: under those that are marked; the next of its kind replaces it. */
const PLAIN_TITLE = 7;

/** At most `limit` sentences of a text, in order. */
export function sentencesOf(text: string, limit = 2000): Sentence[] {
  const reader = new Reader(limit);
  for (const line of text.split(/\r?\n/)) {
    if (reader.isFull) break;
    reader.line(line.trim());
  }
  return reader.close();
}

class Reader {
  private readonly sentences: Sentence[] = [];
  private headings: readonly { readonly level: number; readonly title: string }[] = [];
  private paragraph = 0;
  private open: string[] = [];
  private openKind: 'prose' | 'item' = 'prose';
  private columns: readonly string[] | undefined;
  private inTable = false;
  /** The row last read: the names of the columns, should a rule follow it. */
  private pendingRow: readonly string[] | undefined;
  private afterBlank = true;

  constructor(private readonly limit: number) {}

  get isFull(): boolean {
    return this.sentences.length >= this.limit;
  }

  line(line: string): void {
    if (line.startsWith('|') && line.length > 1) return this.tableLine(line);
    this.inTable = false;
    const heading = /^(#{1,6})\s+(\S.*)$/.exec(line);
    const item = /^(?:[-*•–▪]|\(?\d{1,3}[.)]|\(?[a-z]\))\s+(\S.*)$/.exec(line);
    if (line === '') this.endParagraph();
    else if (heading) this.heading(heading[2].replace(/\s*#+$/, ''), heading[1].length);
    else if (/^(?:-{3,}|={3,}|\*{3,}|_{3,})$/.test(line)) this.underline();
    else if (item) this.item(item[1]);
    else if (isField(line) && this.canBeginField) this.item(line);
    else this.prose(line);
    this.afterBlank = line === '';
  }

  close(): Sentence[] {
    this.flush();
    return this.sentences.slice(0, this.limit);
  }

  private heading(title: string, level: number): void {
    this.endParagraph();
    this.stand(title, level);
  }

  /** A rule under a line makes that line a heading, as Markdown has it; elsewhere it only separates. */
  private underline(): void {
    const title = this.open.length === 1 && this.openKind === 'prose' ? this.open[0] : undefined;
    if (title !== undefined && looksLikeTitle(title)) this.open = [];
    this.endParagraph();
    if (title !== undefined && looksLikeTitle(title)) this.heading(title, 1);
  }

  private item(text: string): void {
    this.flush();
    this.openKind = 'item';
    this.open = [text];
  }

  private get canBeginField(): boolean {
    const last = this.open.at(-1);
    return last === undefined || this.openKind === 'item' || /[.!?:;]$/.test(last) || isField(last);
  }

  private prose(line: string): void {
    if (this.openKind === 'item' && this.afterBlank) this.flush();
    this.open.push(line);
  }

  private endParagraph(): void {
    const [only] = this.open;
    // A short line of its own that does not end like a sentence stands over what follows.
    if (this.open.length === 1 && this.openKind === 'prose' && looksLikeTitle(only)) {
      this.open = [];
      this.stand(only, PLAIN_TITLE);
    }
    const wasItem = this.openKind === 'item' && this.open.length > 0;
    this.flush();
    if (!wasItem) this.paragraph++;
    this.columns = undefined;
  }

  private stand(title: string, level: number): void {
    this.headings = [...this.headings.filter((above) => above.level < level), { level, title: plain(title) }];
  }

  private flush(): void {
    if (this.open.length === 0) return;
    const text = plain(this.open.join(' '));
    const kind = this.openKind;
    this.open = [];
    this.openKind = 'prose';
    const parts = kind === 'item' && text.length <= 400 ? [text] : splitSentences(text);
    for (const part of parts) this.add(part, kind);
  }

  private tableLine(line: string): void {
    if (!this.inTable) {
      this.flush();
      this.paragraph++;
      this.columns = undefined;
      this.pendingRow = undefined;
      this.inTable = true;
    }
    const cells = cellsOf(line);
    if (cells.every((cell) => /^:?-+:?$/.test(cell))) {
      const isHeader = this.pendingRow !== undefined && this.columns === undefined;
      if (isHeader && this.sentences.at(-1)?.kind === 'row') this.sentences.pop();
      if (isHeader) this.columns = this.pendingRow;
      return;
    }
    this.pendingRow = cells;
    const told = cells
      .map((cell, column) => ({ cell, name: this.columns?.[column] }))
      .filter(({ cell }) => cell !== '')
      .map(({ cell, name }) => (name ? `${name}: ${cell}` : cell));
    if (told.length > 0) this.add(told.join('; '), 'row', this.columns);
  }

  private add(text: string, kind: Sentence['kind'], columns: readonly string[] = []): void {
    if (text === '' || this.isFull) return;
    const headings = [...this.headings.map(({ title }) => title), ...columns];
    this.sentences.push({ text: shortened(text), kind, headings, paragraph: this.paragraph });
  }
}

const cellsOf = (line: string): string[] =>
  line
    .replace(/^\|/, '')
    .replace(/\|$/, '')
    .split(/(?<!\\)\|/)
    .slice(0, 40)
    .map((cell) => plain(cell.replaceAll('\\|', '|')));

/** Without the signs of Markdown; links keep their words. */
function plain(text: string): string {
  return text
    .replace(/!?\[([^[\]]{0,300})\]\([^()\s]{0,500}\)/g, '$1')
    .replace(/(\*\*|__|`)/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

const shortened = (text: string): string => (text.length <= MAX_SENTENCE ? text : `${text.slice(0, MAX_SENTENCE)}…`);

/** A line such as "Notice period: two months": a thing of its own, not the middle of a sentence. */
const isField = (line: string): boolean =>
  line.length <= 200 && /^(?:\*\*)?\p{Lu}[^:.]{1,40}:(?:\*\*)?\s+\S/u.test(line);

const looksLikeTitle = (line: string): boolean =>
  line.length <= 80 &&
  !line.includes(': ') &&
  !/[.:;,!?…]$/.test(line) &&
  line.split(' ').length <= 10 &&
  /^[\p{Lu}\p{N}§¿]/u.test(line);

const ABBREVIATION =
  /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|approx|no|nos|art|arts|fig|sec|cl|dr|dra|mr|mrs|ms|prof|st|inc|ltd|co|corp|p\.ej|ej|sr|sra|srta|ud|uds|d|núm|num|pág|pag|págs|aprox|tel|av|avda|c|s\.a|s\.l|ee\.uu|p\.m|a\.m|[a-zA-Z])\.$/i;

/** Prose as sentences. Points of abbreviations, initials and numbers do not end one. */
export function splitSentences(text: string): string[] {
  const sentences: string[] = [];
  let start = 0;
  for (const { index, 0: marks } of text.matchAll(/[.!?…]+["'”’»)\]]*(?=\s|$)/g)) {
    const end = index + marks.length;
    const before = text.slice(Math.max(start, end - 12), end);
    const next = text.slice(end, end + 4).trimStart();
    if (marks === '.' && ABBREVIATION.test(before) && next !== '' && !/^[¿¡]/.test(next)) continue;
    if (marks.startsWith('.') && next !== '' && /^\p{Ll}/u.test(next)) continue;
    sentences.push(text.slice(start, end).trim());
    start = end;
  }
  sentences.push(text.slice(start).trim());
  return sentences.filter((sentence) => sentence !== '');
}
