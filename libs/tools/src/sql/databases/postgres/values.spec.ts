import {
  describePostgres,
  dialLoopback,
  startPostgres,
  targetOn,
  type PostgresServer,
} from '../../../../../../test/support/postgres-server';
import { GuardPool } from '../guard-pool';
import { PostgresEngine } from './postgres-engine';
import { arrayOf, jsonOf } from './values';

describePostgres('a value', (version) => {
  let server: PostgresServer;
  const guards = new GuardPool({ workers: 1 });
  const engine = new PostgresEngine({ dial: dialLoopback, guards, limits: { connectMs: 5000 } });

  beforeAll(async () => {
    server = await startPostgres(version);
    const client = await server.connect();
    await client.query(`CREATE TYPE estado AS ENUM ('nuevo', 'de vuelta'); CREATE TYPE par AS (a int, b text);
      CREATE DOMAIN euros AS numeric(10,2); CREATE EXTENSION hstore`);
    await client.end();
  });
  afterAll(async () => {
    await guards.close();
    await server.stop();
  });

  it.each([
    ['true', true, 'boolean'],
    ['9007199254740991', 9007199254740991, 'bigint'],
    ['9007199254740993', '9007199254740993', 'bigint'],
    ['(-9223372036854775808)::bigint', '-9223372036854775808', 'bigint'],
    ['1.10', '1.10', 'numeric'],
    ['1.5::numeric(12,2)', '1.50', 'numeric(12,2)'],
    ['1e-30::numeric', '0.000000000000000000000000000001', 'numeric'],
    ['12.5::euros', '12.50', 'numeric(10,2)'],
    [`'NaN'::numeric`, 'NaN', 'numeric'],
    ['0.1::float8', 0.1, 'double precision'],
    ['0.1::float4', 0.1, 'real'],
    [`'-Infinity'::float8`, '-Infinity', 'double precision'],
    [`'1234.56'::money`, '$1,234.56', 'money'],
    [`timestamptz '2024-02-29 12:00:00.123456+01'`, '2024-02-29 11:00:00.123456+00', 'timestamp with time zone'],
    [`timestamp 'infinity'`, 'infinity', 'timestamp without time zone'],
    [`date '0044-03-15 BC'`, '0044-03-15 BC', 'date'],
    [`time '24:00'`, '24:00:00', 'time without time zone'],
    [`interval '1 year 2 days 03:04:05.6'`, '1 year 2 days 03:04:05.6', 'interval'],
    [`'\\xDEADBEEF'::bytea`, '\\xdeadbeef', 'bytea'],
    [`''::text`, '', 'text'],
    [`'NULL'::text`, 'NULL', 'text'],
    [`'a'::char(3)`, 'a  ', 'character(3)'],
    ['NULL::int', null, 'integer'],
    [
      `'{"n": 12345678901234567890, "d": 0.1, "x": [1, null, true]}'::jsonb`,
      { n: '12345678901234567890', d: 0.1, x: [1, null, true] },
      'jsonb',
    ],
    [`'"text"'::json`, 'text', 'json'],
    [`'null'::jsonb`, null, 'jsonb'],
    [`ARRAY[1, NULL, 3]`, [1, null, 3], 'integer[]'],
    [
      `ARRAY[[1.50, 2], [3, 4]]`,
      [
        ['1.50', '2'],
        ['3', '4'],
      ],
      'numeric[]',
    ],
    [`'{}'::text[]`, [], 'text[]'],
    [
      `ARRAY['a,b', 'c"d', 'e\\f', 'NULL', '', '{x}', ' y ']`,
      ['a,b', 'c"d', 'e\\f', 'NULL', '', '{x}', ' y '],
      'text[]',
    ],
    [`'[0:1]={7,8}'::int[]`, [7, 8], 'integer[]'],
    [`ARRAY['nuevo', 'de vuelta']::estado[]`, ['nuevo', 'de vuelta'], 'estado[]'],
    [`ARRAY['{"a": [1, "}"]}'::jsonb]`, [{ a: [1, '}'] }], 'jsonb[]'],
    [`ARRAY[12.5]::euros[]`, ['12.50'], 'euros[]'],
    [`ARRAY[true, false]`, [true, false], 'boolean[]'],
    [`ARRAY[timestamptz '2024-01-01 00:00Z']`, ['2024-01-01 00:00:00+00'], 'timestamp with time zone[]'],
    [`'de vuelta'::estado`, 'de vuelta', 'estado'],
    [`ROW(1, 'x')::par`, '(1,x)', 'par'],
    [`int4range(1, 5)`, '[1,5)', 'int4range'],
    [`'10.0.0.1/8'::inet`, '10.0.0.1/8', 'inet'],
    [`'a=>1'::hstore`, '"a"=>"1"', 'hstore'],
    [`B'101'::bit(3)`, '101', 'bit(3)'],
    [`'ñ€😀'`, 'ñ€😀', 'text'],
  ])('%s is exact', async (expression, value, type) => {
    const statement = { sql: `SELECT ${expression} AS v`, schemas: ['public'], calls: [] };
    const limits = { rows: 10, bytes: 100_000, cell: 1000, ms: 5000 };
    expect(await engine.run(targetOn(server), statement, limits, new AbortController().signal)).toEqual({
      kind: 'rows',
      columns: [{ name: 'v', type }],
      rows: [[value]],
      timeZone: 'UTC',
    });
  });
});

describe('a document', () => {
  it.each([
    ['1.0', 1],
    ['-0.50', -0.5],
    ['1e3', 1000],
    ['1E400', '1E400'],
    ['0.1000000000000000055511151231257827', '0.1000000000000000055511151231257827'],
    ['"1e999 \\" 12345678901234567890"', '1e999 " 12345678901234567890'],
    [
      '{"__proto__": 1, "a": {"b": -12345678901234567890.5}}',
      JSON.parse('{"__proto__": 1, "a": {"b": "-12345678901234567890.5"}}'),
    ],
  ])('%s loses nothing', (text, value) => {
    expect(jsonOf(text)).toEqual(value);
  });

  it('that nests without end stays a text', () => {
    const deep = '['.repeat(5000) + ']'.repeat(5000);
    expect(jsonOf(deep)).toBe(deep);
  });
});

describe('an array that cannot be read', () => {
  it.each(['{', '{1', '{1,', '{1}x', '{"a}', '{1;2', '', 'x', '{,}', '{{1}'])('%s stays a text', (text) => {
    expect(arrayOf(text, (item) => item)).toBe(text);
  });
});
