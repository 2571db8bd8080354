/** What there is in a database, from the views of SQL Server's catalog; only what the login may read is in them. */
import type { Row } from '../../exact-value';
import type { Catalog, CatalogColumn, CatalogRoutine, CatalogTable, CatalogWish, ForeignKey } from '../catalog';
import { catalogType } from './type-names';

/** Runs a query of ours. */
export type Ask = (sql: string, values: readonly (string | number)[]) => Promise<readonly Row[]>;

const MINE = `o.is_ms_shipped = 0 AND s.name NOT IN (N'sys', N'INFORMATION_SCHEMA')`;
const COMMENT = (of: string, minor: string) =>
  `(SELECT TOP (1) CAST(e.value AS nvarchar(1000)) FROM sys.extended_properties e
    WHERE e.class = 1 AND e.major_id = ${of} AND e.minor_id = ${minor} AND e.name = N'MS_Description')`;

const TABLES = (inScope: string, types: string) => `
SELECT TOP (@p0) o.object_id, s.name, o.name, RTRIM(o.type), ${COMMENT('o.object_id', '0')},
  (SELECT SUM(p.rows) FROM sys.partitions p WHERE p.object_id = o.object_id AND p.index_id IN (0, 1))
FROM sys.objects o JOIN sys.schemas s ON s.schema_id = o.schema_id
WHERE ${MINE} AND o.type IN (${types}) AND ${inScope}
  AND HAS_PERMS_BY_NAME(QUOTENAME(s.name) + N'.' + QUOTENAME(o.name), 'OBJECT', 'SELECT') = 1
ORDER BY s.name, o.name`;

const COLUMNS = (inScope: string) => `
SELECT TOP (@p0) c.object_id, c.name, COALESCE(b.name, t.name), c.max_length, c.precision, c.scale, c.is_nullable,
  ${COMMENT('c.object_id', 'c.column_id')}
FROM sys.columns c JOIN sys.objects o ON o.object_id = c.object_id JOIN sys.schemas s ON s.schema_id = o.schema_id
  JOIN sys.types t ON t.user_type_id = c.user_type_id
  LEFT JOIN sys.types b ON b.user_type_id = c.system_type_id AND b.is_user_defined = 0
WHERE ${MINE} AND o.type IN ('U', 'V') AND ${inScope}
ORDER BY s.name, o.name, c.column_id`;

const PRIMARY_KEYS = (inScope: string) => `
SELECT TOP (@p0) i.object_id, c.name
FROM sys.indexes i JOIN sys.objects o ON o.object_id = i.object_id JOIN sys.schemas s ON s.schema_id = o.schema_id
  JOIN sys.index_columns k ON k.object_id = i.object_id AND k.index_id = i.index_id
  JOIN sys.columns c ON c.object_id = k.object_id AND c.column_id = k.column_id
WHERE i.is_primary_key = 1 AND ${inScope}
ORDER BY i.object_id, k.key_ordinal`;

const FOREIGN_KEYS = (inScope: string) => `
SELECT TOP (@p0) k.parent_object_id, k.constraint_object_id, c.name, rs.name, r.name, rc.name
FROM sys.foreign_key_columns k JOIN sys.objects o ON o.object_id = k.parent_object_id
  JOIN sys.schemas s ON s.schema_id = o.schema_id
  JOIN sys.columns c ON c.object_id = k.parent_object_id AND c.column_id = k.parent_column_id
  JOIN sys.objects r ON r.object_id = k.referenced_object_id JOIN sys.schemas rs ON rs.schema_id = r.schema_id
  JOIN sys.columns rc ON rc.object_id = k.referenced_object_id AND rc.column_id = k.referenced_column_id
WHERE ${inScope}
ORDER BY k.constraint_object_id, k.constraint_column_id`;

const CHECKS = (inScope: string) => `
SELECT TOP (@p0) k.parent_object_id, k.definition
FROM sys.check_constraints k JOIN sys.objects o ON o.object_id = k.parent_object_id
  JOIN sys.schemas s ON s.schema_id = o.schema_id
WHERE k.is_disabled = 0 AND ${inScope}`;

const ROUTINES = (inScope: string, types: string) => `
SELECT TOP (@p0) o.object_id, s.name, o.name, RTRIM(o.type), ${COMMENT('o.object_id', '0')},
  m.definition, m.execute_as_principal_id,
  HAS_PERMS_BY_NAME(QUOTENAME(s.name) + N'.' + QUOTENAME(o.name), 'OBJECT', IIF(o.type = 'FN', 'EXECUTE', 'SELECT'))
FROM sys.objects o JOIN sys.schemas s ON s.schema_id = o.schema_id
  LEFT JOIN sys.sql_modules m ON m.object_id = o.object_id
WHERE ${MINE} AND o.type IN (${types}) AND ${inScope}
ORDER BY s.name, o.name`;

const PARAMETERS = (inScope: string) => `
SELECT TOP (@p0) p.object_id, p.parameter_id, p.name, t.name, p.max_length, p.precision, p.scale
FROM sys.parameters p JOIN sys.objects o ON o.object_id = p.object_id JOIN sys.schemas s ON s.schema_id = o.schema_id
  JOIN sys.types t ON t.user_type_id = p.user_type_id
WHERE ${MINE} AND ${inScope}
ORDER BY p.object_id, p.parameter_id`;

/** Columns of a table that are worth reading of; what is beyond is cut with the tables. */
const PER_OBJECT = 200;

export async function readCatalog(
  ask: Ask,
  wish: CatalogWish,
  facts: { defaultSchema: string; timeZone: string },
): Promise<Catalog> {
  const names = wish.schemas ?? [];
  const inScope = names.length > 0 ? `s.name IN (${names.map((_, i) => `@p${i + 1}`).join(', ')})` : '1 = 1';
  const read = (sql: string, most: number) => ask(sql, [most, ...names]);
  const { maxObjects } = wish;
  const tableTypes = [...(wish.tables ? ["'U'"] : []), ...(wish.views ? ["'V'"] : [])].join(', ');
  const routineTypes = [...(wish.functions ? ["'FN'", "'IF'", "'TF'"] : []), ...(wish.procedures ? ["'P'"] : [])].join(
    ', ',
  );

  const [[version]] = (await ask("SELECT CAST(SERVERPROPERTY('ProductVersion') AS nvarchar(50))", [])) as [[string]];
  const found = tableTypes === '' ? [] : await read(TABLES(inScope, tableTypes), maxObjects + 1);
  const routines = routineTypes === '' ? [] : await read(ROUTINES(inScope, routineTypes), maxObjects + 1);
  const most = maxObjects * PER_OBJECT;
  const [columns, primary, foreign, checks] = [
    byObject(found.length > 0 ? await read(COLUMNS(inScope), most) : []),
    byObject(found.length > 0 ? await read(PRIMARY_KEYS(inScope), most) : []),
    byObject(found.length > 0 ? await read(FOREIGN_KEYS(inScope), most) : []),
    byObject(found.length > 0 ? await read(CHECKS(inScope), most) : []),
  ];
  const parameters = byObject(routines.length > 0 ? await read(PARAMETERS(inScope), most) : []);
  const tables = found.slice(0, maxObjects).map((row): CatalogTable => {
    const [id, schema, name, type, comment, rows] = row;
    const allowed = allowedValues(checks.get(id) ?? []);
    return {
      schema: String(schema),
      name: String(name),
      kind: type === 'V' ? 'view' : 'table',
      ...(typeof comment === 'string' && { comment }),
      ...(type !== 'V' && rows !== null && { rowEstimate: Number(rows) }),
      columns: (columns.get(id) ?? []).map((column) => columnOf(column, allowed)),
      primaryKey: (primary.get(id) ?? []).map(([, column]) => String(column)),
      foreignKeys: foreignKeys(foreign.get(id) ?? []),
    };
  });
  const left = Math.max(maxObjects - tables.length, 0);
  return {
    product: `SQL Server ${version}`,
    timeZone: facts.timeZone,
    schemas: schemasOf(tables, names, facts.defaultSchema),
    tables,
    routines: routines.slice(0, left).map((row) => routineOf(row, parameters.get(row[0]) ?? [])),
    truncated: found.length + routines.length > maxObjects,
  };
}

function byObject(rows: readonly Row[]): Map<Row[number] | undefined, Row[]> {
  const map = new Map<Row[number] | undefined, Row[]>();
  for (const row of rows) map.set(row[0], [...(map.get(row[0]) ?? []), row]);
  return map;
}

function columnOf(row: Row, allowed: ReadonlyMap<string, readonly string[]>): CatalogColumn {
  const [, name, type, length, precision, scale, nullable, comment] = row;
  const values = allowed.get(String(name));
  return {
    name: String(name),
    type: catalogType(String(type), Number(length), Number(precision), Number(scale)),
    nullable: nullable === true,
    ...(typeof comment === 'string' && { comment }),
    ...(values && { enumValues: values }),
  };
}

function foreignKeys(rows: readonly Row[]): ForeignKey[] {
  const keys = new Map<
    Row[number] | undefined,
    { columns: string[]; schema: string; table: string; references: string[] }
  >();
  for (const [, id, column, schema, table, reference] of rows) {
    const key = keys.get(id) ?? { columns: [], schema: String(schema), table: String(table), references: [] };
    key.columns.push(String(column));
    key.references.push(String(reference));
    keys.set(id, key);
  }
  return [...keys.values()];
}

const VALUE = String.raw`\(?\[((?:[^\]]|\]\])+)\]=N?'((?:[^']|'')*)'\)?`;
const CHOICE = new RegExp(`^\\(${VALUE}(?: OR ${VALUE})*\\)$`);

/** `IN ('a', 'b')` is kept as `([kind]='b' OR [kind]='a')`. */
function allowedValues(rows: readonly Row[]): Map<string, string[]> {
  const allowed = new Map<string, string[]>();
  for (const [, definition] of rows) {
    if (typeof definition !== 'string' || definition.length > 10_000 || !CHOICE.test(definition)) continue;
    const parts = [...definition.matchAll(new RegExp(VALUE, 'g'))];
    const column = parts[0]![1]!;
    if (parts.some(([, each]) => each !== column)) continue;
    allowed.set(column.replaceAll(']]', ']'), parts.map(([, , value]) => value!.replaceAll("''", "'")).reverse());
  }
  return allowed;
}

/** The only ways for a function to reach beyond the tables of its database. */
const REACHES = /\b(?:xp_|sp_|OPENROWSET|OPENQUERY|OPENDATASOURCE|EXEC|EXECUTE)/i;

function routineOf(row: Row, parameters: readonly Row[]): CatalogRoutine {
  const [, schema, name, type, comment, definition, executeAs, mayCall] = row;
  const typed = ([, , , of, length, precision, scale]: Row) =>
    catalogType(String(of), Number(length), Number(precision), Number(scale));
  const listed = parameters.filter(([, id]) => Number(id) > 0).map((each) => `${String(each[2])} ${typed(each)}`);
  const returned = parameters.find(([, id]) => Number(id) === 0);
  const returns = returned ? ` returns ${typed(returned)}` : type === 'P' ? '' : ' returns table';
  return {
    schema: String(schema),
    name: String(name),
    kind: type === 'P' ? 'procedure' : 'function',
    signature: `${String(name)}(${listed.join(', ')})${returns}`,
    ...(typeof comment === 'string' && { comment }),
    // One whose text cannot be read could be anything.
    callable:
      type !== 'P' &&
      executeAs === null &&
      mayCall === 1 &&
      typeof definition === 'string' &&
      !REACHES.test(definition),
  };
}

/** Of the schemas with anything in them, that of the user first. */
function schemasOf(tables: readonly CatalogTable[], wished: readonly string[], defaultSchema: string): string[] {
  if (wished.length > 0) return [...wished];
  const found = [...new Set(tables.map(({ schema }) => schema))];
  const first = [defaultSchema, 'dbo'].filter((schema) => found.includes(schema));
  return [...new Set([...first, ...found])];
}
