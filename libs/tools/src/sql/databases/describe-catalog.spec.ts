import type { SqlDialect } from '@app/models';
import type { Catalog, CatalogTable } from './catalog';
import { describeTable, nameTables } from './describe-catalog';
import { quoteName } from './quote-name';

const table = (schema: string, name: string, more: Partial<CatalogTable> = {}): CatalogTable => ({
  schema,
  name,
  kind: 'table',
  columns: [{ name: 'id', type: 'integer', nullable: false }],
  primaryKey: ['id'],
  foreignKeys: [],
  ...more,
});

const catalog = (tables: CatalogTable[], more: Partial<Catalog> = {}): Catalog => ({
  product: 'PostgreSQL 15.20',
  timeZone: 'UTC',
  schemas: ['public', 'archive'],
  tables,
  routines: [],
  truncated: false,
  ...more,
});

const namesOf = (of: Catalog, dialect: SqlDialect = 'PostgreSQL', wish?: { tables: boolean; views: boolean }) =>
  nameTables(of, dialect, wish).tables.map(({ sqlName }) => sqlName);

describe('quoteName', () => {
  it.each<[string, SqlDialect, string]>([
    ['orders', 'PostgreSQL', 'orders'],
    ['Orders', 'PostgreSQL', '"Orders"'],
    ['order', 'PostgreSQL', '"order"'],
    ['año', 'PostgreSQL', '"año"'],
    ['2024_sales', 'PostgreSQL', '"2024_sales"'],
    ['odd"name', 'PostgreSQL', '"odd""name"'],
    ['Orders', 'MySQL', 'Orders'],
    ['rank', 'MySQL', '`rank`'],
    ['rows', 'MariaDB', '`rows`'],
    ['odd`name', 'MySQL', '`odd``name`'],
    ['Order Details', 'SQL Server', '[Order Details]'],
    ['plan', 'SQL Server', '[plan]'],
    ['odd]name', 'SQL Server', '[odd]]name]'],
    ['Group', 'SQLite', '"Group"'],
    ['Orders', 'SQLite', 'Orders'],
  ])('writes %s in %s as %s', (name, dialect, written) => {
    expect(quoteName(name, dialect)).toBe(written);
  });
});

describe('nameTables', () => {
  it('writes a schema where the bare name would find another table, or none', () => {
    const of = catalog([table('public', 'orders'), table('archive', 'orders'), table('archive', 'Returns')]);
    expect(namesOf(of)).toEqual(['orders', 'archive.orders', '"Returns"']);
  });

  it('writes it for every schema but the first where not everything was read', () => {
    const tables = [table('public', 'orders'), table('archive', 'returns')];
    expect(namesOf(catalog(tables, { truncated: true }))).toEqual(['orders', 'archive.returns']);
    expect(namesOf(catalog(tables), 'PostgreSQL', { tables: true, views: false })).toContain('archive.returns');
    expect(namesOf(catalog(tables), 'PostgreSQL', { tables: true, views: true })).toContain('returns');
  });

  it.each<SqlDialect>(['MySQL', 'SQL Server'])('writes it in %s, which looks in one schema only', (dialect) => {
    const of = catalog([table('public', 'orders'), table('archive', 'returns')]);
    expect(namesOf(of, dialect)[1]).toMatch(/archive.?\.returns/);
  });

  it("writes it where a name could be one of the server's own", () => {
    expect(namesOf(catalog([table('public', 'pg_type')]))).toEqual(['public.pg_type']);
  });

  it('leaves out names that would be more than a name', () => {
    expect(namesOf(catalog([table('public', 'a\nTABLE b'), table('public', 'c\u202e'), table('public', 'd')]))).toEqual(
      ['d'],
    );
  });
});

describe('describeTable', () => {
  const orders = table('public', 'orders', {
    comment: 'Pedidos',
    rowEstimate: 1200.4,
    columns: [
      { name: 'id', type: 'bigint', nullable: false },
      { name: 'customerId', type: 'bigint', nullable: true },
      { name: 'status', type: 'status', nullable: false, enumValues: ['open', 'closed'], comment: 'Estado' },
      { name: 'city', type: 'text', nullable: true },
      { name: 'bad\nname', type: 'text', nullable: true },
    ],
    foreignKeys: [
      { columns: ['customerId'], schema: 'archive', table: 'Customer', references: ['Id'] },
      { columns: ['customerId'], schema: 'hidden', table: 'customers', references: ['id'] },
    ],
  });
  const named = nameTables(catalog([orders, table('archive', 'Customer'), table('public', 'Customer')]), 'PostgreSQL');

  it('tells names as SQL writes them, keys, comments and estimates', () => {
    const described = describeTable(named.tables[0]!, named);
    expect(described).toMatchObject({
      name: 'orders',
      rowCount: 1200,
      isEstimate: true,
      comment: 'Pedidos',
      primaryKey: ['id'],
      foreignKeys: [{ columns: ['"customerId"'], table: 'archive."Customer"', references: ['"Id"'] }],
    });
    expect(described.columns.map(({ name, identifier }) => [name, identifier ?? false])).toEqual([
      ['id', true],
      ['"customerId"', true],
      ['status', false],
      ['city', false],
    ]);
    expect(described.notes).toEqual(['1 further columns are left out here.']);
    expect(described.columns[2]).toMatchObject({ comment: 'Estado', values: [{ value: 'open' }, { value: 'closed' }] });
  });

  it('tells what samples say, and whether that is all', () => {
    const city = (complete: boolean) => ({
      schema: 'public',
      name: 'orders',
      columns: [{ name: 'city', samples: [], values: { list: [{ value: 'León', count: 3 }], complete } }],
    });
    const [all, some] = [true, false].map(
      (complete) => describeTable(named.tables[0]!, named, { sample: city(complete) }).columns[3],
    );
    expect(all).toMatchObject({ values: [{ value: 'León', count: 3 }] });
    expect(all).not.toHaveProperty('hasOtherValues');
    expect(some).toMatchObject({ values: [{ value: 'León' }], hasOtherValues: true });
    expect(some!.values![0]).not.toHaveProperty('count');
  });
});
