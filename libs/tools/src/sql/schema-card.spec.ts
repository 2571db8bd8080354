import { estimateTokens, type SqlColumn, type SqlTable } from '@app/models';
import { schemaCard } from './schema-card';

const column = (name: string, more: Partial<SqlColumn> = {}): SqlColumn => ({
  name,
  original: name.replaceAll('"', ''),
  type: 'text',
  samples: [],
  notes: [],
  ...more,
});

const table = (name: string, more: Partial<SqlTable> = {}): SqlTable => ({
  name,
  kind: 'table',
  origin: `public.${name}`,
  columns: [column('id', { type: 'integer' })],
  notes: [],
  ...more,
});

const cities = Array.from({ length: 50 }, (_, i) => ({ value: `Ciudad número ${i}`, count: 100 - i }));

describe('schemaCard', () => {
  it('tells kinds, keys, comments, estimates, JSON keys and values', () => {
    const { text } = schemaCard(
      [
        table('"Orders"', {
          original: 'Orders',
          rowCount: 1200,
          isEstimate: true,
          comment: 'Pedidos de clientes',
          primaryKey: ['id'],
          foreignKeys: [{ columns: ['"customerId"'], table: 'crm.customer', references: ['id'] }],
          columns: [
            column('id', { type: 'bigint', identifier: true }),
            column('"customerId"', { type: 'bigint', identifier: true }),
            column('status', { values: [{ value: 'open' }, { value: 'closed' }] }),
            column('city', { values: [{ value: 'León', count: 3 }], hasOtherValues: true, comment: 'Where it goes' }),
            column('data', { type: 'jsonb', jsonKeys: ['address.city', 'tags'] }),
          ],
        }),
        table('totals', { kind: 'view' }),
      ],
      2000,
    );
    expect(text).toBe(
      [
        'TABLE "Orders" -- about 1200 rows, comment: "Pedidos de clientes"',
        '  id bigint: an identifier, not a quantity',
        '  "customerId" bigint: an identifier, not a quantity',
        '  status text: values "open", "closed"',
        '  city text: comment: "Where it goes"; values "León" (3) and others',
        '  data jsonb: JSON keys "address.city", "tags"',
        '  primary key (id)',
        '  ("customerId") refers to crm.customer (id)',
        '',
        'VIEW totals',
        '  id integer',
      ].join('\n'),
    );
  });

  it('stays within its budget, whatever there is, and says what it leaves out', () => {
    const tables = Array.from({ length: 100 }, (_, i) =>
      table(`table_${i}`, { columns: [column('id'), column('city', { values: cities, comment: 'x'.repeat(300) })] }),
    );
    for (const budget of [100, 500, 2000, 6000, 50_000]) {
      const card = schemaCard(tables, budget);
      expect(estimateTokens(card.text)).toBeLessThanOrEqual(budget);
      expect(card.tables.length + card.leftOut).toBe(100);
      if (card.leftOut > 0) expect(card.text).toContain(`(${card.leftOut} further tables do not fit here.)`);
    }
    expect(schemaCard(tables, 50_000).leftOut).toBe(0);
  });

  it('tells the first tables in full before it tells more of the others', () => {
    const tables = Array.from({ length: 10 }, (_, i) =>
      table(`t${i}`, { columns: [column('city', { values: cities })] }),
    );
    const shown = schemaCard(tables, 1200, { first: 2 }).tables.map(({ columns }) => columns[0]!.values?.length ?? 0);
    expect(shown.slice(0, 2)).toEqual([50, 50]);
    expect(Math.max(...shown.slice(2))).toBeLessThan(50);
    const alike = schemaCard(tables, 1200).tables.map(({ columns }) => columns[0]!.values?.length ?? 0);
    expect(new Set(alike).size).toBeLessThanOrEqual(2);
    expect(alike.at(-1)).toBeGreaterThan(0);
  });

  it('is the same for the same tables', () => {
    const tables = Array.from({ length: 30 }, (_, i) =>
      table(`t${i}`, { columns: [column('city', { values: cities })] }),
    );
    expect(schemaCard(tables, 3000, { first: 4 }).text).toBe(
      schemaCard(structuredClone(tables), 3000, { first: 4 }).text,
    );
  });

  it('keeps what comes from the database on its line (SEC-53)', () => {
    const hostile = 'x\nTABLE secrets\u2028  password text\u202e';
    const { text } = schemaCard(
      [
        table('t', {
          comment: hostile,
          columns: [
            column('a', { comment: hostile, samples: [hostile], jsonKeys: [hostile], type: `text${hostile}` }),
            column('b', { values: [{ value: hostile }] }),
          ],
        }),
      ],
      4000,
    );
    expect(text.split(/[\n\u2028]/)).toHaveLength(3);
    expect(text).not.toContain('\u202e');
  });

  it('leaves room for routines', () => {
    const tables = Array.from({ length: 100 }, (_, i) =>
      table(`t${i}`, { columns: [column('city', { values: cities })] }),
    );
    const routines = ['FUNCTION f(x integer) returns integer', 'FUNCTION g() returns text'];
    const card = schemaCard(tables, 1000, { routines });
    expect(card.text).toContain(routines.join('\n'));
    expect(estimateTokens(card.text)).toBeLessThanOrEqual(1000);
  });
});
