/** What the styles of an OpenDocument say that is part of the meaning of a cell: durations, codes with zeros in front. */
import type { OdsTag } from './ods-xml';

/** How the cells of a style show a number. */
export interface NumberStyle {
  /** Hours go on beyond 24. */
  readonly isDuration?: boolean;
  /** Zeros in front make it as long as this. */
  readonly padded?: number;
  readonly currency?: string;
}

interface CellStyle {
  readonly numbers?: string;
  readonly parent?: string;
}

/** More styles than an office program writes; the others say nothing. */
const MAX_STYLES = 50_000;

export class OdsStyles {
  private readonly cells = new Map<string, CellStyle>();
  private readonly numbers = new Map<string, NumberStyle>();
  private readonly hiddenTables = new Set<string>();
  /** The style whose elements come in. */
  private styleName = '';
  private numberName = '';
  private parts = 0;
  private symbol = false;

  open({ name, of }: OdsTag): void {
    if (name === 'style:style') {
      this.styleName = of('style:name');
      if (of('style:family') !== 'table-cell' || this.cells.size >= MAX_STYLES) return;
      this.cells.set(this.styleName, { numbers: of('style:data-style-name'), parent: of('style:parent-style-name') });
    } else if (name === 'style:table-properties') {
      if (of('table:display') === 'false') this.hiddenTables.add(this.styleName);
    } else if (/^number:(?:number|currency|percentage|date|time|boolean|text)-style$/.test(name)) {
      this.numberName = this.numbers.size >= MAX_STYLES ? '' : of('style:name');
      this.parts = 0;
      this.note(name === 'number:time-style' ? { isDuration: of('number:truncate-on-overflow') === 'false' } : {});
    } else if (name === 'number:currency-symbol') {
      this.symbol = true;
    } else if (name.startsWith('number:')) {
      // A number and nothing around it: the zeros are all there is to see.
      const isOnly = ++this.parts === 1 && name === 'number:number';
      const digits = Number(of('number:min-integer-digits') || 0);
      const isCode = isOnly && digits > 1 && digits <= 30 && Number(of('number:decimal-places') || 0) === 0;
      this.note({ padded: isCode && of('number:grouping') !== 'true' ? digits : undefined });
    }
  }

  text(text: string): void {
    if (this.symbol && text.length <= 12) this.note({ currency: text.trim() });
  }

  close(name: string): void {
    if (name === 'number:currency-symbol') this.symbol = false;
    else if (/^number:[a-z]+-style$/.test(name)) this.numberName = '';
  }

  isHiddenTable(styleName: string): boolean {
    return this.hiddenTables.has(styleName);
  }

  /** Of a cell style, or of the one that it is made from. */
  of(styleName: string): NumberStyle {
    let style = this.cells.get(styleName);
    for (let steps = 0; style && steps < 10; steps++) {
      const numbers = style.numbers ? this.numbers.get(style.numbers) : undefined;
      if (numbers) return numbers;
      style = style.parent ? this.cells.get(style.parent) : undefined;
    }
    return {};
  }

  private note(known: NumberStyle): void {
    if (this.numberName) this.numbers.set(this.numberName, { ...this.numbers.get(this.numberName), ...known });
  }
}
