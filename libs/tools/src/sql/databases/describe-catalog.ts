/**
 * A catalog as models are told of it: tables with their names as SQL writes them, and what samples say of their rows.
 *
 * A name that cannot be written on one line is left out with its table or column.
 */
import type { SqlColumn, SqlDialect, SqlForeignKey, SqlTable } from '@app/models';
import type { Catalog, CatalogColumn, CatalogTable, CatalogWish, ColumnSample, TableSample } from './catalog';
import type { TableName } from './database-engine';
import { isPlainName, quoteName } from './quote-name';

/** A table of the catalog, and its name in SQL. */
export interface NamedTable {
  readonly table: CatalogTable;
  readonly sqlName: string;
}

export interface NamedCatalog {
  readonly dialect: SqlDialect;
  readonly catalog: Catalog;
  /** In the order of the catalog. */
  readonly tables: readonly NamedTable[];
  find(name: TableName): NamedTable | undefined;
}

/** The tables under names that find them: bare where a name without schema means this table and no other. */
export function nameTables(catalog: Catalog, dialect: SqlDialect, wish?: Pick<CatalogWish, 'tables' | 'views'>) {
  const plain = catalog.tables.filter(({ schema, name }) => isPlainName(schema) && isPlainName(name));
  const counts = new Map<string, number>();
  for (const { name } of plain) counts.set(name, (counts.get(name) ?? 0) + 1);
  // Of what was not read, any could stand in the way.
  const isWhole = !catalog.truncated && wish?.tables !== false && wish?.views !== false;
  const [first] = catalog.schemas;
  const isFoundBare = ({ schema, name }: CatalogTable): boolean => {
    if (dialect === 'PostgreSQL' && name.startsWith('pg_')) return false;
    // There a bare name is looked up in the schema of the user, which may be another.
    if (dialect === 'SQL Server') return false;
    if (schema === first) return true;
    return dialect === 'PostgreSQL' && isWhole && catalog.schemas.includes(schema) && counts.get(name) === 1;
  };
  const quote = (name: string) => quoteName(name, dialect);
  const tables = plain.map((table): NamedTable => {
    const bare = quote(table.name);
    return { table, sqlName: isFoundBare(table) ? bare : `${quote(table.schema)}.${bare}` };
  });
  const byName = new Map(tables.map((one) => [keyOf(one.table), one]));
  return { dialect, catalog, tables, find: (name: TableName) => byName.get(keyOf(name)) } satisfies NamedCatalog;
}

const keyOf = ({ schema, name }: TableName) => JSON.stringify([schema, name]);

export interface Described {
  readonly sample?: TableSample;
  /** Those to be told; absent: all. */
  readonly columns?: readonly CatalogColumn[];
}

/** @param named the catalog that has the table. */
export function describeTable(
  { table, sqlName }: NamedTable,
  named: NamedCatalog,
  { sample, columns: told = table.columns }: Described = {},
): SqlTable {
  const { schema, name, kind, rowEstimate, comment } = table;
  const columns = told.filter((column) => isPlainName(column.name));
  const leftOut = table.columns.length - columns.length;
  const known = new Set(columns.map((column) => column.name));
  const quoted = (names: readonly string[]) => names.map((one) => quoteName(one, named.dialect));
  const isShown = (names: readonly string[]) => names.length > 0 && names.every((one) => known.has(one));
  const keys = new Set([...table.primaryKey, ...table.foreignKeys.flatMap((key) => key.columns)]);
  const foreignKeys = table.foreignKeys.flatMap((key): SqlForeignKey[] => {
    const target = named.find({ schema: key.schema, name: key.table });
    if (!target || !isShown(key.columns) || !key.references.every(isPlainName)) return [];
    return [{ columns: quoted(key.columns), table: target.sqlName, references: quoted(key.references) }];
  });
  return {
    name: sqlName,
    ...(sqlName !== name && { original: name }),
    kind,
    origin: `${schema}.${name}`,
    ...(rowEstimate !== undefined && { rowCount: Math.round(rowEstimate), isEstimate: true }),
    ...(comment && { comment }),
    columns: columns.map((column) =>
      describeColumn(column, {
        sqlName: quoteName(column.name, named.dialect),
        isKey: keys.has(column.name),
        sample: sample?.columns.find((one) => one.name === column.name),
      }),
    ),
    ...(isShown(table.primaryKey) && { primaryKey: quoted(table.primaryKey) }),
    ...(foreignKeys.length > 0 && { foreignKeys }),
    notes: leftOut > 0 ? [`${leftOut} further columns are left out here.`] : [],
  };
}

interface Known {
  readonly sqlName: string;
  readonly isKey: boolean;
  readonly sample?: ColumnSample;
}

const NUMBER = /^(?:tiny|small|medium|big)?(?:int|serial)|^(?:numeric|decimal|number)/i;

function describeColumn(column: CatalogColumn, { sqlName, isKey, sample }: Known): SqlColumn {
  const { name, type, comment, enumValues } = column;
  const seen = sample?.values;
  // Of a part of the rows a count says nothing.
  const counts = new Map(seen?.complete ? seen.list.map(({ value, count }) => [value, count]) : []);
  const values = (enumValues ?? seen?.list.map(({ value }) => value))?.map((value) => ({
    value,
    ...(counts.has(value) && { count: counts.get(value)! }),
  }));
  return {
    name: sqlName,
    original: name,
    type,
    ...(comment && { comment }),
    ...(sample?.jsonKeys?.length && { jsonKeys: sample.jsonKeys }),
    ...(!column.nullable && { nullable: false }),
    ...(isKey && NUMBER.test(type) && { identifier: true }),
    ...(sample?.minimum !== undefined && { minimum: sample.minimum }),
    ...(sample?.maximum !== undefined && { maximum: sample.maximum }),
    samples: sample?.samples ?? [],
    ...(values?.length && { values, ...(!enumValues && seen && !seen.complete && { hasOtherValues: true }) }),
    notes: [],
  };
}
