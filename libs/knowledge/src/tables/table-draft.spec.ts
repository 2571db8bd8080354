import { LimitExceededError } from '../parsers/parser-errors';
import type { Row } from './cell';
import { UnclosedQuoteError } from './delimited-rows';
import { draftTable } from './table-draft';
import { TABLE_LIMITS, type TableInput, type TableLimits } from './table-input';
import { tableBlocks } from './table-text';

const row = (cells: string[], number: number, hidden = false): Row => ({ cells, number, ...(hidden && { hidden }) });
const inputOf = (rows: readonly Row[], more: Partial<TableInput> = {}): TableInput => ({
  ...{ source: { format: 'csv' }, title: 'x', hidden: false, warnings: [] },
  rows: () => rows,
  ...more,
});
const draftOf = (rows: readonly Row[], limits: Partial<TableLimits> = {}) =>
  draftTable(inputOf(rows), { ...TABLE_LIMITS, ...limits });

const HEADER = row(['name', 'amount'], 1);
const data = (count: number): Row[] => Array.from({ length: count }, (_, at) => row([`n${at}`, String(at)], at + 2));

describe('the draft of a table', () => {
  it('has as many rows as are allowed, and is refused with one more', () => {
    expect(draftOf([HEADER, ...data(5)], { maxRows: 5 }).rowCount).toBe(5);
    expect(() => draftOf([HEADER, ...data(6)], { maxRows: 5 })).toThrow(
      new LimitExceededError('a table has more than 5 rows', 'MAX_TABLE_ROWS'),
    );
  });

  it('has as many columns as are allowed, and is refused with one more', () => {
    expect(draftOf([HEADER, ...data(2)], { maxColumns: 2 }).columns).toHaveLength(2);
    expect(() => draftOf([HEADER, ...data(2)], { maxColumns: 1 })).toThrow(
      new LimitExceededError('a table has 2 columns, at most 1 are taken', 'MAX_TABLE_COLUMNS'),
    );
  });

  it('counts rows that are short, long, blank or look like totals, each with a warning', () => {
    const rows = [HEADER, row(['a'], 2), row(['b', '2', 'more'], 3), row([''], 4), row(['Total', '3'], 5), ...data(30)];
    expect(draftOf(rows).warnings).toEqual([
      '1 row has fewer than 2 cells; the rest is NULL',
      '1 row has more than 2 cells (first in row 3); columns were added',
      '1 blank row left out',
      'rows that look like totals are among the data: 5; a sum over all rows counts them too',
    ]);
  });

  it('leaves out columns with neither a name nor a value, and says so', () => {
    const { columns, warnings } = draftOf([
      row(['name', '', 'amount'], 1),
      row(['a', '', '1'], 2),
      row(['b', '', '2'], 3),
    ]);
    expect(columns.map(({ at, original }) => [at, original])).toEqual([
      [0, 'name'],
      [2, 'amount'],
    ]);
    expect(warnings).toEqual(['1 column without a name and without values left out']);
  });

  it('is read without quotes where one never closes', () => {
    const unquoted = inputOf([HEADER, ...data(3)], { warnings: ['read without quotes'] });
    const text = inputOf([HEADER, ...data(1)], { unquoted });
    const broken: TableInput = {
      ...text,
      *rows() {
        yield HEADER;
        throw new UnclosedQuoteError();
      },
    };
    expect(draftTable(broken, TABLE_LIMITS)).toMatchObject({ rowCount: 3, warnings: ['read without quotes'] });
  });
});

describe('a table as text', () => {
  const textOf = (rows: readonly Row[], limits: Partial<TableLimits> = {}) =>
    tableBlocks(draftOf(rows, limits), 'sales').map(({ text }) => text);

  it('has its first rows, and says how many more there are and where', () => {
    expect(textOf([HEADER, ...data(3)], { maxTextRows: 2 })).toEqual([
      '| name | amount |\n| --- | --- |\n| n0 | 0 |\n| n1 | 1 |',
      '1 more row is in the table sales: name, amount.',
    ]);
  });

  it('has no row that is hidden, nor counts it among the others', () => {
    const rows = [HEADER, row(['secret', '1'], 2, true), ...data(2)];
    expect(textOf(rows)).toEqual(['| name | amount |\n| --- | --- |\n| n0 | 0 |\n| n1 | 1 |']);
  });

  it('has sixty columns at most', () => {
    const names = Array.from({ length: 61 }, (_, at) => `c${at}`);
    const [table = ''] = textOf([
      row(names, 1),
      row(
        names.map(() => '1'),
        2,
      ),
      row(
        names.map(() => '2'),
        3,
      ),
    ]);
    expect(table).toContain('| c59 |');
    expect(table).not.toContain('c60');
  });
});
