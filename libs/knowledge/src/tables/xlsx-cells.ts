/** Cells of an XLSX sheet as strings: what the file says they hold. */
import { UnsupportedFileError } from '../parsers/parser-errors';
import { cellText, marked } from './cell';
import { sheetNumber, type SheetFormat } from './sheet-cells';
import { xlsxText } from './xlsx-xml';

/** A cell as it is written. */
export interface WrittenCell {
  readonly type: string;
  /** Its number among the styles of cells. */
  readonly style?: number;
  /** Absent without an element for it; '' for an empty one. */
  v?: string;
  /** Without an equals sign. */
  f?: string;
}

/** What the rest of the workbook says about cells. */
export interface KnownToCells extends SheetFormat {
  readonly strings: readonly string[];
  /** By style. */
  readonly formats: readonly string[];
}

const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/;
/** More digits than a float keeps, which no office program writes, but others do. */
const LONG = /^-?[1-9]\d{15,37}$/;
const MOMENT = /^(?:(\d{4}-\d\d-\d\d))?(?:T?(\d\d:\d\d:\d\d|\d\d:\d\d)(?:[.,](\d+))?)?Z?$/;

/** @returns '' for a cell that holds nothing. */
export function xlsxCell(cell: WrittenCell, known: KnownToCells): string {
  const { type, v = '', f } = cell;
  if (type === 'inlineStr') return v;
  const written = type === 'str' ? v : v.trim();
  if (written === '') return withoutValue(cell);
  switch (type) {
    case 'n':
      return number(written, cell, known);
    case 's': {
      const text = /^\d{1,9}$/.test(written) ? known.strings[Number(written)] : undefined;
      if (text === undefined)
        throw new UnsupportedFileError('the workbook is damaged: a cell has a text that is missing.');
      return text;
    }
    case 'str':
      return xlsxText(v);
    case 'b':
      return /^(?:1|true|0|false)$/i.test(written)
        ? marked('boolean', /^(?:1|true)$/i.test(written) ? 'true' : 'false')
        : unreadable(written);
    case 'd':
      return moment(written);
    case 'e':
    default:
      return unreadable(f !== undefined && written === '' ? `=${f}` : written);
  }
}

/** A text that is empty is a result; else a formula was saved without one, and is not computed here (SEC-74). */
function withoutValue({ type, v, f }: WrittenCell): string {
  if (f === undefined || f === '' || (type === 'str' && v !== undefined)) return '';
  return marked('error', `=${cellText(f).slice(0, 100)}`);
}

function number(written: string, { style }: WrittenCell, { formats, from1904 }: KnownToCells): string {
  const value = Number(written);
  if (!NUMBER.test(written) || !Number.isFinite(value)) return unreadable(written);
  const format = style === undefined ? undefined : formats[style];
  return sheetNumber(value, format ?? 'General', from1904, LONG.test(written) ? written : undefined);
}

/** An error, or what is no value of the type that the cell claims: NULL, and told. */
const unreadable = (written: string): string => marked('error', cellText(written).slice(0, 100));

function moment(written: string): string {
  const [, day, clock, fraction = ''] = MOMENT.exec(written) ?? [];
  if (day === undefined && clock === undefined) return unreadable(written);
  const kept = fraction.slice(0, 6).replace(/0+$/, '');
  const time = clock && `${clock.length === 5 ? `${clock}:00` : clock}${kept && `.${kept}`}`;
  // A day alone is written with the time at which it begins, too.
  if (day !== undefined && (!time || time === '00:00:00')) return marked('date', day);
  return marked('date', day === undefined ? time! : `${day} ${time}`);
}
