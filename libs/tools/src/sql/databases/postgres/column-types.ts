/** What the columns of a result are: their types in the server's words, and how their values are read. */
import type { JsonValue } from '../../exact-value';
import type { PostgresConnection } from './connection';
import type { Field } from './conversation';
import { readerOf } from './values';

export interface ColumnTypes {
  readonly names: readonly string[];
  readonly readers: readonly ((text: string) => JsonValue)[];
}

/** Those that need no look into the catalog: their names say it all. */
const PLAIN: ReadonlyMap<number, string> = new Map([
  [16, 'boolean'],
  [17, 'bytea'],
  [20, 'bigint'],
  [21, 'smallint'],
  [23, 'integer'],
  [25, 'text'],
  [26, 'oid'],
  [19, 'name'],
  [114, 'json'],
  [700, 'real'],
  [701, 'double precision'],
  [1007, 'integer[]'],
  [1009, 'text[]'],
  [1016, 'bigint[]'],
  [1082, 'date'],
  [2950, 'uuid'],
  [3802, 'jsonb'],
]);
const NO_MODIFIER = -1;

const TYPES = `
  SELECT pg_catalog.format_type(t.oid, a.modifier),
         CASE WHEN t.typcategory = 'A' AND t.typelem <> 0 THEN
           (SELECT CASE WHEN e.typbasetype <> 0 THEN e.typbasetype ELSE e.oid END
              FROM pg_catalog.pg_type e WHERE e.oid = t.typelem) END
    FROM ROWS FROM (pg_catalog.unnest($1::pg_catalog.oid[]), pg_catalog.unnest($2::pg_catalog.int4[]))
         WITH ORDINALITY AS a (oid, modifier, n)
    JOIN pg_catalog.pg_type t ON t.oid = a.oid
   ORDER BY a.n`;

export async function typesOf(connection: PostgresConnection, fields: readonly Field[]): Promise<ColumnTypes> {
  const unknown = fields.filter((field) => plainName(field) === undefined);
  const found = new Map<Field, readonly (string | null)[]>();
  if (unknown.length > 0) {
    const answers = await connection.ask(TYPES, [
      unknown.map(({ dataTypeID }) => dataTypeID),
      unknown.map(({ dataTypeModifier }) => dataTypeModifier),
    ]);
    // A type that was dropped meanwhile leaves the lists unequal.
    if (answers.length === unknown.length) unknown.forEach((field, i) => found.set(field, answers[i]!));
  }
  return {
    names: fields.map((field) => plainName(field) ?? found.get(field)?.[0] ?? 'unknown'),
    readers: fields.map((field) => {
      const element = found.get(field)?.[1];
      return readerOf(field.dataTypeID, () => (element == null ? undefined : Number(element)));
    }),
  };
}

const plainName = ({ dataTypeID, dataTypeModifier }: Field): string | undefined =>
  dataTypeModifier === NO_MODIFIER ? PLAIN.get(dataTypeID) : undefined;
