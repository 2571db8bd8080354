/** The cells of a flat OpenDocument as LibreOffice writes it: what it read in a workbook, cell by cell. */
import { load } from 'cheerio';

export interface FlatSheet {
  readonly sheet: string;
  /** By row and column; cells and rows at the end that hold nothing are left out. */
  readonly rows: readonly (readonly FlatCell[])[];
}

/** `n` number, `s` text, `d` date, `t` duration or time, `b` truth value, `e` error. */
export type FlatCell = readonly [type: 'n' | 's' | 'd' | 't' | 'b' | 'e', value: string] | null;

const MAX_REPEATED = 2000;

export function flatCells(xml: string): FlatSheet[] {
  const $ = load(xml, { xml: true });
  $('text\\:s').each((_, space) => {
    $(space).replaceWith(' '.repeat(Number($(space).attr('text:c') ?? 1)));
  });
  return $('office\\:spreadsheet > table\\:table')
    .toArray()
    .map((table) => {
      const rows: FlatCell[][] = [];
      for (const row of $(table).find('table\\:table-row').toArray()) {
        const cells: FlatCell[] = [];
        for (const cell of $(row).children('table\\:table-cell, table\\:covered-table-cell').toArray()) {
          const value = read($(cell).attr() ?? {}, () =>
            $(cell)
              .children('text\\:p')
              .toArray()
              .map((line) => $(line).text())
              .join('\n'),
          );
          const times = Number($(cell).attr('table:number-columns-repeated') ?? 1);
          for (let at = 0; at < Math.min(times, value ? times : MAX_REPEATED); at++) cells.push(value);
        }
        while (cells.length > 0 && cells.at(-1) === null) cells.pop();
        const times = Number($(row).attr('table:number-rows-repeated') ?? 1);
        for (let at = 0; at < Math.min(times, cells.length > 0 ? times : MAX_REPEATED); at++) rows.push(cells);
      }
      while (rows.at(-1)?.length === 0) rows.pop();
      return { sheet: $(table).attr('table:name') ?? '', rows };
    });
}

function read(attributes: Readonly<Record<string, string>>, text: () => string): FlatCell {
  const type = attributes['calcext:value-type'] ?? attributes['office:value-type'];
  switch (type) {
    case 'float':
    case 'percentage':
    case 'currency':
      return ['n', attributes['office:value'] ?? ''];
    case 'date':
      return ['d', attributes['office:date-value'] ?? ''];
    case 'time':
      return ['t', attributes['office:time-value'] ?? ''];
    case 'boolean':
      return ['b', attributes['office:boolean-value'] ?? ''];
    case 'error':
      return ['e', text()];
    case 'string':
      return ['s', attributes['office:string-value'] ?? text()];
    default:
      return null;
  }
}
