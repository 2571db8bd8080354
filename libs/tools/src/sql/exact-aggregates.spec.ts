import type { Caller } from '@app/access';
import { loadConfig } from '@app/platform';
import { parquetTables, type ParquetTables } from '../../../../test/support/parquet-tables';
import { TableEngine } from './table-engine';
import type { QueriedTable, QueryRows } from './table-query';

const CALLER: Caller = { organisationId: 'o' } as never;
const BIG = 9007199254740993n;
const SALDOS = [0n, 2n, 5n, 6n].map((more) => BIG + more);

describe('TableEngine computes exactly', () => {
  const engine = new TableEngine(loadConfig({}).sql);
  let files: ParquetTables;
  let tables: readonly QueriedTable[];

  beforeAll(async () => {
    files = await parquetTables();
    const cuentas = await files.write(
      'cuentas',
      `SELECT * FROM (VALUES ${SALDOS.map(
        (saldo, i) =>
          `(${saldo}::BIGINT, ${i}::BIGINT, '${i % 2 ? 'b' : 'a'}', (${i} * 0.01 + 0.01)::DECIMAL(10,2), -${saldo}.05::DECIMAL(20,2),
            '${'9'.repeat(38 - i)}'::DECIMAL(38,0), DATE '2024-01-01' + ${i})`,
      ).join(', ')}) t(saldo, n, grupo, precio, importe, enorme, dia)`,
    );
    const long = ['saldo', 'importe', 'enorme'];
    tables = [{ sqlName: 'cuentas', file: cuentas, longNumbers: long }];
  });
  afterAll(async () => {
    await engine.close();
    await files.close();
  });

  async function ask(sql: string): Promise<QueryRows> {
    const outcome = await engine.run(CALLER, sql, tables);
    if (outcome.kind !== 'rows') throw new Error(JSON.stringify(outcome));
    return outcome;
  }

  it.each([
    'list_median(list(precio))',
    "list_aggregate(list(precio), 'median')",
    "median(COLUMNS('precio'))",
    'mad(precio)',
  ])('says that %s is cut', async (call) => {
    expect(await ask(`SELECT ${call} FROM cuentas`)).toMatchObject({ cutMedians: true });
  });

  it.each(['median(precio)', 'quantile_cont(precio, 0.25)', 'list_median(list(n))', 'sum(precio)'])(
    'says nothing of the kind of %s',
    async (call) => {
      expect(await ask(`SELECT ${call} FROM cuentas`)).not.toHaveProperty('cutMedians');
    },
  );

  it.each([
    // (4 * 9007199254740993 + 13) / 4
    ['avg(saldo)', '9007199254740996.250000'],
    ['AVG(DISTINCT saldo) FILTER (WHERE n < 2)', '9007199254740994.000000'],
    // (3 * BIG + 7) / 3
    ['avg(saldo) FILTER (WHERE n < 3)', '9007199254740995.333333'],
    ['avg(-saldo) FILTER (WHERE n < 3)', '-9007199254740995.333333'],
    ['avg(CASE WHEN n < 3 THEN saldo END)', '9007199254740995.333333'],
    ['avg(saldo) - 1', '9007199254740995.250000'],
    ['median(saldo)', '9007199254740996.5'],
    ['median(saldo) FILTER (WHERE n < 3)', '9007199254740995.0'],
    ['avg(importe)', '-9007199254740996.30000000'],
    ['median(importe)', '-9007199254740996.550'],
    ['median(precio)', '0.025'],
    ['quantile_cont(precio, 0.25)', '0.0175'],
    ['percentile_cont(0.25) WITHIN GROUP (ORDER BY precio)', '0.0175'],
    ['percentile_cont(0.25) WITHIN GROUP (ORDER BY precio DESC)', '0.0325'],
    ['quantile_cont(precio, 0.9)', '0.037'],
    ['quantile_cont(precio, [0.25, 0.9])', ['0.0175', '0.0370']],
    ['quantile_cont(precio, 0.25) FILTER (WHERE n > 100)', null],
    ['round(avg(saldo), 2)', '9007199254740996.25'],
    ['median(saldo) FILTER (WHERE n > 100)', null],
    ['avg(saldo) FILTER (WHERE n > 100)', null],
    ['sum(saldo)', '36028797018963985'],
  ])('%s', async (call, expected) => {
    const { rows, columns } = await ask(`SELECT ${call} AS x FROM cuentas`);
    expect(rows).toEqual([[expected]]);
    expect(columns).toMatchObject([{ name: 'x' }]);
  });

  it.each([
    [
      'groups',
      'SELECT grupo, avg(saldo) FROM cuentas GROUP BY ALL ORDER BY 2',
      [
        ['a', '9007199254740995.500000'],
        ['b', '9007199254740997.000000'],
      ],
    ],
    ['a condition on groups', 'SELECT grupo FROM cuentas GROUP BY grupo HAVING avg(saldo) > 9007199254740996', [['b']]],
    [
      'windows',
      'SELECT n, avg(saldo) OVER (ORDER BY n ROWS 1 PRECEDING) AS a FROM cuentas ORDER BY n LIMIT 2',
      [
        [0, `${BIG}.000000`],
        [1, `${BIG + 1n}.000000`],
      ],
    ],
    [
      'a column that was given another name',
      'WITH t AS (SELECT saldo AS s, n FROM cuentas) SELECT avg(s) AS a, median(s) AS m FROM t WHERE n < 2',
      [[`${BIG + 1n}.000000`, `${BIG + 1n}.0`]],
    ],
    ['columns of other names', 'SELECT avg(s) AS a FROM cuentas AS c(s)', [['9007199254740996.250000']]],
    ['a row as a value', 'SELECT avg((c).saldo) AS a FROM cuentas c', [['9007199254740996.250000']]],
    ['a part of a row', "SELECT avg(c['saldo']) AS a FROM cuentas c", [['9007199254740996.250000']]],
    [
      'a part by a call',
      "SELECT avg(struct_extract(cuentas, 'saldo')) AS a FROM cuentas",
      [['9007199254740996.250000']],
    ],
    ['a subquery', 'SELECT count(*) AS n FROM cuentas WHERE saldo > (SELECT median(saldo) FROM cuentas)', [[2]]],
    [
      'a median of means',
      'SELECT median(a) AS m FROM (SELECT avg(saldo) AS a FROM cuentas GROUP BY grupo)',
      [['9007199254740996.2500000']],
    ],
    ['a mean within another', 'SELECT avg(median(saldo)) OVER () AS m FROM cuentas', [['9007199254740996.5000000']]],
    [
      'literals of 19 digits',
      "SELECT avg(saldo) AS a, 1234567890123456789 AS b, 'number:1' AS c FROM cuentas WHERE saldo < 9007199254740995",
      [[`${BIG}.000000`, '1234567890123456789', 'number:1']],
    ],
    [
      'beside other parts of a statement',
      `SELECT median(precio) AS m FROM cuentas c CROSS JOIN (SELECT 1 AS eins) d LEFT JOIN range(3) r(x) ON x = n
        WHERE (n > 0) IS TRUE AND grupo IN ('a', 'b') AND dia >= DATE '2024-01-01' - INTERVAL 1 DAY LIMIT 3`,
      [['0.030']],
    ],
  ])('also in %s', async (_, sql, rows) => {
    expect((await ask(sql)).rows).toEqual(rows);
  });

  it('keeps the names of the columns', async () => {
    const { columns } = await ask(
      'SELECT avg(saldo), median(saldo), avg(saldo), saldo AS "Año" FROM cuentas GROUP BY saldo',
    );
    expect(columns.map(({ name }) => name)).toEqual(['avg(saldo)', 'median(saldo)', 'avg(saldo):1', 'Año']);
  });

  it('keeps the names by which what is around a call may call it', async () => {
    const inside = 'SELECT grupo, median(precio), avg(saldo) - 1 FROM cuentas GROUP BY grupo';
    const { rows } = await ask(
      `SELECT grupo, "median(precio)" AS m, "(avg(saldo) - 1)" AS a FROM (${inside}) ORDER BY grupo`,
    );
    expect(rows).toEqual([
      ['a', '0.020', '9007199254740994.500000'],
      ['b', '0.030', '9007199254740996.000000'],
    ]);
  });

  it('in many calls at once', async () => {
    const calls = Array.from({ length: 40 }, (_, n) => `median(precio + ${n})`);
    const { rows } = await ask(`SELECT ${calls.join(', ')} FROM cuentas`);
    expect(rows).toEqual([calls.map((_, n) => `${n}.025`)]);
  });

  it('leaves an infinity one', async () => {
    const file = await files.write('cocientes', 'SELECT n::DOUBLE AS n, 0::DOUBLE AS cero FROM range(1, 4) r(n)');
    const sql =
      'SELECT sum(n / cero) AS s, avg(-n / cero) AS a, sum(n) AS t, sum(n) FILTER (WHERE n > 5) AS e FROM cocientes';
    const outcome = await engine.run(CALLER, sql, [{ sqlName: 'cocientes', file, floats: ['n', 'cero'] }]);
    expect(outcome).toMatchObject({ rows: [['Infinity', '-Infinity', 6, null]] });
  });

  it('leaves alone what a float holds, and what has no exact form', async () => {
    const [row] = (await ask('SELECT avg(n) AS a, median(n) AS b, median(dia) AS c, avg(dia) AS d FROM cuentas')).rows;
    expect(row).toEqual([1.5, 1.5, '2024-01-02 12:00:00', '2024-01-02 12:00:00']);
  });

  it('adds up floats so that small errors do not pile up', async () => {
    const file = await files.write('medidas', 'SELECT 0.1::DOUBLE AS medida FROM range(100000)');
    const sql = 'SELECT sum(medida) AS s, avg(medida) AS a, sum(medida) FILTER (WHERE medida > 1) AS n FROM medidas';
    const asked = (floats: string[]) => engine.run(CALLER, sql, [{ sqlName: 'medidas', file, floats }]);
    expect(await asked(['medida'])).toMatchObject({ rows: [[10000, 0.1, null]] });
    expect(await asked([])).toMatchObject({ rows: [[expect.closeTo(10000), expect.closeTo(0.1), null]] });
  });

  it('says how far numbers with many digits are exact', async () => {
    const told = async (select: string) => (await ask(`SELECT ${select} AS x FROM cuentas`)).longNumbers;
    expect(await told('avg(n)')).toBeUndefined();
    expect(await told('max(saldo)')).toBeUndefined();
    expect(await told('avg(saldo)')).toEqual({ rounded: false, meanDigits: 6 });
    expect(await told('median(saldo)')).toEqual({ rounded: false });
    expect(await told('sum(saldo)')).toEqual({ rounded: false });
    expect(await told('sum(saldo) / count(*)')).toEqual({ rounded: true });
    expect(await told('stddev(saldo)')).toEqual({ rounded: true });
    expect(await told('sqrt(avg(saldo))')).toMatchObject({ rounded: true });
    expect(await told('list_avg(list(saldo))')).toEqual({ rounded: true });
    // In these the floats are not to be seen in the result.
    expect(await told("format('{:,.2f}', sum(importe))")).toEqual({ rounded: true });
    expect(await told("printf('%.2f', max(importe))")).toEqual({ rounded: true });
    expect(await told('CAST(max(saldo) / 1 AS BIGINT)')).toEqual({ rounded: true });
    expect(await told('max(saldo)::DOUBLE::VARCHAR')).toEqual({ rounded: true });
    expect(await told('CAST(max(saldo) * 1e0 AS BIGINT)')).toEqual({ rounded: true });
    expect(await told('CAST(sqrt(max(saldo)) AS VARCHAR)')).toEqual({ rounded: true });
    // Its sum has more digits than DuckDB's largest whole number.
    expect(await told('avg(enorme)')).toEqual({ rounded: true });
  });

  describe('rounds as a number is written', () => {
    const CENTS = [1, 28, 113, 1015, 4_502, 99_999, 1_234_567];

    it.each([
      'round(avg(x), 2)',
      'CAST(avg(x) AS DECIMAL(12,2))',
      'avg(x)::NUMERIC(18,2)',
      'round(sum(x) / count(*), 2)',
      'round(round(avg(x), 4), 2)',
      'round(avg(x::DOUBLE), 2)',
      'round(avg(x) OVER (PARTITION BY g), 2)',
    ])('%s', async (call) => {
      const pairs = Array.from({ length: 3000 }, (_, i) => CENTS[i % CENTS.length]! + 7 * i);
      const rows = pairs.flatMap((cents, g) => [`(${g}, ${cents}), (${g}, ${cents + 1})`]).join(', ');
      const file = await files.write(
        'pares',
        `SELECT g, (((g % 2) * 2 - 1) * c * 0.01)::DECIMAL(12,2) AS x FROM (VALUES ${rows}) t(g, c)`,
      );
      const sql = `SELECT g, ${call} AS r FROM pares ${call.includes('OVER') ? '' : 'GROUP BY g'} ORDER BY g`;
      const all = new TableEngine(loadConfig({ SQL_MAX_ROWS: '10000' }).sql);
      const outcome = (await all.run(CALLER, sql, [{ sqlName: 'pares', file, columns: ['g', 'x'] }])) as QueryRows;
      await all.close();
      const rounded = new Map(outcome.rows.map(([g, r]) => [Number(g), Number(r)]));
      // The mean of two neighbours lies half a cent beyond the smaller one.
      const expected = pairs.map((cents, g) => [g, ((g % 2 ? 1 : -1) * (cents + 1)) / 100] as const);
      expect([...rounded]).toEqual(expected);
    });

    it.each([
      ['round(1.005::DOUBLE, 2)', 1.01],
      ['round(-1.005::DOUBLE, 2)', -1.01],
      ['round(1.00499::DOUBLE, 2)', 1],
      ['round(2.5::DOUBLE)', 3],
      ['round(123456789.123456789::DOUBLE, 9)', 123456789.12345679],
      ['round(1e300::DOUBLE, 2)', 1e300],
      ["round('inf'::DOUBLE, 2)", 'Infinity'],
      ["round('nan'::DOUBLE, 2)", 'NaN'],
      ['round(NULL::DOUBLE, 2)', null],
      ['round(1.005::FLOAT, 2)', 1],
      ['round(1.005, 2)', '1.01'],
      ['round(12345, -2)', 12300],
      ['0.125::DOUBLE::DECIMAL(4,2)', '0.13'],
      ["TRY_CAST('nan'::DOUBLE AS DECIMAL(4,2))", null],
      ['list_transform([1.005::DOUBLE], lambda one: round(one, 2))', [1.01]],
    ])('%s', async (call, expected) => {
      expect((await ask(`SELECT ${call} AS x`)).rows).toEqual([[expected]]);
    });

    it('also what is grouped by', async () => {
      const sql =
        'SELECT round(x, 2) AS r, count(*) AS n FROM (VALUES (1.005::DOUBLE), (1.01::DOUBLE)) t(x) GROUP BY round(x, 2)';
      expect((await ask(sql)).rows).toEqual([[1.01, 2]]);
    });
  });

  it('finds every place between two decimals to its last digit, or says that it is cut', async () => {
    let seed = 11;
    const next = (below: number) => (seed = (seed * 48271) % 2147483647) % below;
    for (let round = 0; round < 40; round++) {
      const percent = [1, 10, 25, 33, 75, 90, 95, 99][round % 8]!;
      const cents = Array.from({ length: 2 + next(9) }, () => BigInt(next(1_000_000_000) - 300_000_000));
      const list = cents.map((units) => `(${units} * 0.01::DECIMAL(3,2))`).join(', ');
      const sorted = [...cents].sort((a, b) => (a < b ? -1 : 1));
      const at = BigInt(cents.length - 1) * BigInt(percent);
      const [lower, upper] = [sorted[Number(at / 100n)]!, sorted[Number((at + 99n) / 100n)]!];
      const { rows } = await ask(
        `SELECT quantile_cont(x, ${(percent / 100).toFixed(2)}) FROM (SELECT x::DECIMAL(18,2) AS x FROM (VALUES ${list}) t(x))`,
      );
      expect(rows).toEqual([[decimal(lower * 100n + (upper - lower) * (at % 100n), 4)]]);
    }
    const large =
      'SELECT quantile_cont(x, 0.25) FROM (VALUES (9876543210123.45::DECIMAL(18,2)), (9876543210123.46)) t(x)';
    expect(await ask(large)).toMatchObject({ cutMedians: true });
  });

  it('agrees with whole numbers of any size, whichever they are', async () => {
    let seed = 7n;
    const next = () => (seed = (seed * 6364136223846793005n + 1442695040888963407n) % 2n ** 64n);
    for (let round = 0; round < 12; round++) {
      const numbers = Array.from(
        { length: 1 + Number(next() % 40n) },
        () => ((next() % 2n ** 63n) - 2n ** 62n) * (round % 2 ? 1n : -1n),
      );
      const list = numbers.map((number) => `(${number}::BIGINT)`).join(', ');
      const file = await files.write(`random${round}`, `SELECT * FROM (VALUES ${list}) t(v)`);
      const outcome = (await engine.run(CALLER, 'SELECT avg(v) AS a, median(v) AS m FROM zufall', [
        { sqlName: 'zufall', file, longNumbers: ['v'] },
      ])) as QueryRows;
      const sorted = [...numbers].sort((a, b) => (a < b ? -1 : 1));
      const middle = sorted[(numbers.length - 1) >> 1]! + sorted[numbers.length >> 1]!;
      const total = numbers.reduce((sum, number) => sum + number, 0n);
      expect(outcome.rows).toEqual([
        [decimal(divided(total * 1_000_000n, BigInt(numbers.length)), 6), decimal(middle * 5n, 1)],
      ]);
    }
  });
});

/** Rounded half away from zero. */
function divided(a: bigint, b: bigint): bigint {
  const size = a < 0n ? -a : a;
  return (a < 0n ? -1n : 1n) * ((2n * size + b) / (2n * b));
}

function decimal(units: bigint, scale: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}
