import { toCsv } from './csv';
import { queryResult } from './query-result';
import type { QueryRows } from './table-query';

const columnsOf = (...names: string[]) => names.map((name) => ({ name, type: 'INTEGER' }));

describe('A result', () => {
  it('tells its columns in their order, whatever they are called', () => {
    const found: QueryRows = {
      kind: 'rows',
      columns: columnsOf('region', '2024', '2023', '__proto__'),
      rows: [['a', 1, 2, 3]],
    };
    const [, rows] = queryResult(found, { sql: '', warnings: [], limits: { rows: 10 } });
    expect(rows).toMatchObject({ text: '{"region":"a","2024":1,"2023":2,"__proto__":3}' });
  });

  it.each([
    ['=1+1', "'=1+1"],
    ['+A1', "'+A1"],
    ['-A1', "'-A1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['＝1+1', "'＝1+1"],
    ['－A1', "'－A1"],
    ['\t=1+1', '"\'\t=1+1"'],
    ['\n=1+1', '"\'\n=1+1"'],
    ['-5.50', '-5.50'],
    ['+1e5', '+1e5'],
    ['', '""'],
    [null, ''],
    ['NULL', 'NULL'],
    ['a,"b"', '"a,""b"""'],
  ])('as CSV runs nothing and tells NULL from text: %j', (value, cell) => {
    expect(toCsv(['x'], [[value]])).toBe(`x\r\n${cell}\r\n`);
  });

  it('as exact CSV has every text as it is', () => {
    expect(toCsv(['=x'], [['=1+1'], ['\t@x']], { isExact: true })).toBe('=x\r\n=1+1\r\n"\t@x"\r\n');
  });
});
