/** What there is in a PostgreSQL database, read in one transaction that only reads. */
import type { Catalog, CatalogColumn, CatalogRoutine, CatalogTable, CatalogWish, ForeignKey } from '../catalog';
import { COLUMNS, CONSTRAINTS, LABELS, RELATIONS, ROUTINES, SCHEMAS } from './catalog-queries';
import { listedValues } from './check-values';
import type { PostgresConnection } from './connection';
import { lockedDown, searchPath } from './lock-down';

type Cells = readonly (string | null)[];

export async function readCatalog(connection: PostgresConnection, wish: CatalogWish, ms: number): Promise<Catalog> {
  const { timeZone } = await lockedDown(connection, { calls: [] }, ms);
  // Before the search path is ours: the database's own decides the order.
  const schemas = (await connection.ask(SCHEMAS, [wish.schemas ?? null])).map(([name]) => name!);
  await connection.ask(`SELECT pg_catalog.set_config('search_path', $1, true)`, [searchPath(schemas)]);
  const [[version]] = (await connection.ask(`SELECT pg_catalog.current_setting('server_version')`)) as [[string]];
  const kinds = [...(wish.tables ? ['r', 'p', 'f'] : []), ...(wish.views ? ['v', 'm'] : [])];
  const relations = await connection.ask(RELATIONS, [schemas, kinds, wish.maxObjects + 1]);
  const shown = relations.slice(0, wish.maxObjects);
  const tables = await describe(connection, shown);
  const room = wish.maxObjects - shown.length;
  const routineKinds = [...(wish.functions ? ['f', 'a', 'w'] : []), ...(wish.procedures ? ['p'] : [])];
  const routines = routineKinds.length === 0 ? [] : await connection.ask(ROUTINES, [schemas, routineKinds, room + 1]);
  return {
    product: `PostgreSQL ${/^[\w.]+/.exec(version)?.[0] ?? version}`,
    timeZone,
    schemas,
    tables,
    routines: routines.slice(0, room).map(routineOf),
    truncated: relations.length > shown.length || routines.length > room,
  };
}

async function describe(connection: PostgresConnection, relations: readonly Cells[]): Promise<CatalogTable[]> {
  if (relations.length === 0) return [];
  const oids = [relations.map(([oid]) => oid)];
  const columns = await connection.ask(COLUMNS, oids);
  const labels = grouped(await connection.ask(LABELS), 0);
  const constraints = await connection.ask(CONSTRAINTS, oids);
  const keys = grouped(
    constraints.filter(([, relation]) => relation !== '0'),
    1,
  );
  const domains = new Map(
    constraints.flatMap(([, , domain, , , , , definition]) => {
      const values = domain === '0' ? undefined : listedValues(definition ?? '');
      return values ? [[domain!, values] as const] : [];
    }),
  );
  const columnsOf = grouped(columns, 0);
  return relations.map(([oid, schema, name, kind, comment, estimate]) => {
    const own = keys.get(oid!) ?? [];
    const listed = new Map(
      own.flatMap(([type, , , , , column, , definition]) => {
        const values = type === 'c' ? listedValues(definition ?? '') : undefined;
        return values ? [[namesIn(column)[0]!, values] as const] : [];
      }),
    );
    return {
      schema: schema!,
      name: name!,
      kind: kind as 'table' | 'view',
      ...(comment !== null && { comment }),
      ...(estimate !== null && { rowEstimate: Math.round(Number(estimate)) }),
      columns: (columnsOf.get(oid!) ?? []).map((column) =>
        columnOf(
          column,
          labels.get(column[6]!)?.map(([, label]) => label!) ?? listed.get(column[2]!) ?? domains.get(column[7]!),
        ),
      ),
      primaryKey: own.filter(([type]) => type === 'p').flatMap(([, , , , , columns]) => namesIn(columns)),
      foreignKeys: own.filter(([type]) => type === 'f').map(foreignKeyOf),
    };
  });
}

const columnOf = (
  [, , name, type, notNull, comment]: Cells,
  enumValues: readonly string[] | undefined,
): CatalogColumn => ({
  name: name!,
  type: type!,
  nullable: notNull !== 't',
  ...(comment !== null && { comment }),
  ...(enumValues && { enumValues }),
});

const foreignKeyOf = ([, , , schema, table, columns, references]: Cells): ForeignKey => ({
  columns: namesIn(columns),
  schema: schema!,
  table: table!,
  references: namesIn(references),
});

const routineOf = ([schema, name, kind, args, result, comment, callable]: Cells): CatalogRoutine => ({
  schema: schema!,
  name: name!,
  kind: kind as 'function' | 'procedure',
  signature: `${name}(${args})${result === null ? '' : ` returns ${result}`}`,
  ...(comment !== null && { comment }),
  callable: callable === 't',
});

const namesIn = (json: string | null | undefined): string[] => (json == null ? [] : (JSON.parse(json) as string[]));

function grouped(rows: readonly Cells[], by: number): Map<string, Cells[]> {
  const groups = new Map<string, Cells[]>();
  for (const row of rows) {
    const key = row[by]!;
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}
