/** What the reader of workbooks does not tell about an OpenDocument sheet: what is hidden in it, and how large it is. */
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { UnsafeFileError, UnsupportedFileError } from '../parsers/parser-errors';

export interface OdsSheet {
  hidden: boolean;
  readonly hiddenRows: Set<number>;
  readonly hiddenColumns: Set<number>;
}

/** Deeper than any table in a table. */
const MAX_DEPTH = 256;
const MAX_HIDDEN = 1_100_000;

/**
 * @throws UnsafeFileError for cells that are repeated more often than may be read, for a document type and for
 *   elements nested too deep (SEC-73, SEC-74).
 */
export function odsStructure(content: string, maxCells: number): Map<string, OdsSheet> {
  const sheets = new Map<string, OdsSheet>();
  const hiddenStyles = new Set<string>();
  let styleName = '';
  let sheet: OdsSheet | undefined;
  let depth = 0;
  let row = 0;
  let column = 0;
  let rowTimes = 1;
  let rowHidden = false;
  let cellsInRow = 0;
  let cells = 0;
  const parser = new SaxesParser();
  parser.on('doctype', () => {
    throw new UnsafeFileError('the XML inside declares a document type, which no office program writes.');
  });
  parser.on('opentag', ({ name, attributes }: SaxesTagPlain) => {
    if (++depth > MAX_DEPTH) throw new UnsafeFileError(`the XML inside nests elements more than ${MAX_DEPTH} deep.`);
    switch (name) {
      case 'style:style':
        styleName = attributes['style:name'] ?? '';
        break;
      case 'style:table-properties':
        if (attributes['table:display'] === 'false') hiddenStyles.add(styleName);
        break;
      case 'table:table':
        sheet = {
          hidden: hiddenStyles.has(attributes['table:style-name'] ?? ''),
          hiddenRows: new Set(),
          hiddenColumns: new Set(),
        };
        sheets.set(attributes['table:name'] ?? '', sheet);
        row = column = 0;
        break;
      case 'table:table-column': {
        const times = timesOf(attributes['table:number-columns-repeated']);
        if (isHidden(attributes))
          for (let at = 0; at < Math.min(times, 20_000); at++) sheet?.hiddenColumns.add(column + at);
        column += times;
        break;
      }
      case 'table:table-row':
        rowTimes = timesOf(attributes['table:number-rows-repeated']);
        rowHidden = isHidden(attributes);
        cellsInRow = 0;
        break;
      case 'table:table-cell':
      case 'table:covered-table-cell':
        if (Object.keys(attributes).some((each) => /^(?:office|table:formula)/.test(each))) {
          cellsInRow += timesOf(attributes['table:number-columns-repeated']);
        }
    }
  });
  parser.on('closetag', ({ name }) => {
    depth--;
    if (name !== 'table:table-row') return;
    cells += cellsInRow * rowTimes;
    if (cells > maxCells) {
      throw new UnsafeFileError(`the sheets repeat cells to more than ${maxCells} of them (setting MAX_SHEET_CELLS).`);
    }
    if (rowHidden) for (let at = 0; at < Math.min(rowTimes, MAX_HIDDEN); at++) sheet?.hiddenRows.add(row + at);
    row += rowTimes;
  });
  parser.on('error', (cause) => {
    throw new UnsupportedFileError('the file is damaged: the XML inside cannot be read.', { cause });
  });
  parser.write(content).close();
  return sheets;
}

const isHidden = (attributes: Readonly<Record<string, string>>) =>
  /^(?:collapse|filter)$/.test(attributes['table:visibility'] ?? '');

function timesOf(written: string | undefined): number {
  const times = Number.parseInt(written ?? '1', 10);
  return Number.isFinite(times) && times > 0 ? times : 1;
}
