/**
 * The first words of a session: a transaction that only reads, settings that our reading of statements relies on, and
 * a look at what of the database itself a statement may call (SEC-46, SEC-47).
 *
 * It is a query, so that the mode is fixed from then on: after it the server refuses to write even when asked to in
 * the right words.
 */
import type { CheckedStatement } from '../database-engine';
import type { PostgresConnection } from './connection';
import { CALLABLE, HARMLESS } from './callable';
import { Opening } from './conversation';

const BEGIN = 'BEGIN TRANSACTION READ ONLY';

/** How long a lock of another session is waited for. */
const LOCK_MS = 3000;
const TEMP_FILES = '1GB';

export interface LockedDown {
  readonly timeZone: string;
  readonly refused?: { readonly token: string; readonly reason: string };
}

/** By name, each for this transaction alone. */
const settingsOf = (ms: number, schemas: readonly string[] | undefined): Readonly<Record<string, string>> => ({
  statement_timeout: `${ms}`,
  lock_timeout: `${Math.min(LOCK_MS, Math.ceil(ms / 2))}`,
  idle_in_transaction_session_timeout: `${ms + 5000}`,
  ...(schemas && { search_path: searchPath(schemas) }),
  // The guard reads texts by the standard; with this off, a backslash would end them elsewhere.
  standard_conforming_strings: 'on',
  client_encoding: 'UTF8',
  default_transaction_read_only: 'on',
  transform_null_equals: 'off',
  client_min_messages: 'error',
  DateStyle: 'ISO',
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
});

/** Temporary tables come first where nothing is said, and last where it is. */
export const searchPath = (schemas: readonly string[]): string =>
  [...schemas, 'pg_temp'].map((schema) => `"${schema.replaceAll('"', '""')}"`).join(', ');

/** What the server brings itself has smaller numbers. */
const FIRST_OF_USERS = 16384;

/** What values are put in order and told apart by where no operator is written: each function with the types it is for. */
const COMPARING = `
  SELECT a.amproc::pg_catalog.oid AS function, a.amproclefttype AS one, a.amprocrighttype AS other
    FROM pg_catalog.pg_amproc a WHERE a.oid >= ${FIRST_OF_USERS}
  UNION ALL
  SELECT o.oprcode, a.amoplefttype, a.amoprighttype
    FROM pg_catalog.pg_amop a JOIN pg_catalog.pg_operator o ON o.oid = a.amopopr WHERE a.oid >= ${FIRST_OF_USERS}`;

/**
 * Whether the database has anything of its own that the statement may run: where it has not, which is the rule, nothing
 * more is looked for. `$1` to `$4` are the functions and attributes, the operators, the types, and the relations.
 */
const ANYTHING = `
  EXISTS (SELECT FROM pg_catalog.pg_proc p WHERE p.proname = ANY ($1::text[]) AND p.oid >= ${FIRST_OF_USERS})
  OR EXISTS (SELECT FROM pg_catalog.pg_operator o WHERE o.oprname = ANY ($2::text[]) AND o.oid >= ${FIRST_OF_USERS})
  OR EXISTS (SELECT FROM pg_catalog.pg_constraint c WHERE c.contypid >= ${FIRST_OF_USERS} AND pg_catalog.cardinality($3::text[]) > 0)
  OR EXISTS (SELECT FROM pg_catalog.pg_class r JOIN pg_catalog.pg_depend d ON d.objid = r.oid
              WHERE r.relname = ANY ($4::text[]) AND d.deptype = 'e'
                AND d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass)
  OR EXISTS (SELECT FROM pg_catalog.pg_cast c WHERE c.oid >= ${FIRST_OF_USERS} AND c.castfunc >= ${FIRST_OF_USERS})
  OR EXISTS (SELECT FROM (${COMPARING}) m JOIN pg_catalog.pg_proc p ON p.oid = m.function
              WHERE p.oid >= ${FIRST_OF_USERS} AND NOT ${HARMLESS})`;

/**
 * Types with these names, those of functions that the statement calls, and what all of these are made of: what is
 * looked for may be under a domain, in an array, a row or a range.
 */
const reachedFrom = (names: string) => `
  WITH RECURSIVE reached AS (
    SELECT oid FROM pg_catalog.pg_type WHERE typname = ANY (${names})
    UNION
    SELECT pg_catalog.unnest(coalesce(p.proallargtypes, p.proargtypes::pg_catalog.oid[]) || p.prorettype)
      FROM pg_catalog.pg_proc p
     WHERE p.oid >= ${FIRST_OF_USERS}
       AND (p.proname = ANY ($2::text[] || $4::text[] || $7::text[])
         OR p.oid IN (SELECT o.oprcode FROM pg_catalog.pg_operator o WHERE o.oprname = ANY ($5::text[])))
    UNION
    SELECT part.oid
      FROM reached r
      JOIN pg_catalog.pg_type t ON t.oid = r.oid
     CROSS JOIN LATERAL (
       SELECT t.typbasetype AS oid
       UNION ALL SELECT t.typelem
       UNION ALL SELECT a.atttypid FROM pg_catalog.pg_attribute a
                  WHERE a.attrelid = t.typrelid AND a.attnum > 0 AND NOT a.attisdropped
       -- Older servers have no ranges of ranges, and no column for them.
       UNION ALL SELECT g.rngsubtype FROM pg_catalog.pg_range g
                  WHERE t.oid IN (g.rngtypid, (pg_catalog.to_jsonb(g) ->> 'rngmultitypid')::pg_catalog.oid)) part
     WHERE part.oid <> 0)
  SELECT oid FROM reached`;

/** Types that values may become. */
const BECOME = reachedFrom('$6::text[]');
/** Types that values may be of: those of the statement's tables, too. */
const PRESENT = reachedFrom('$6::text[] || $8::text[]');

/**
 * What a name of the statement may mean in this database, and must not: one row for each, with its reason. `$1` to
 * `$9` are the schemas of the search path, the functions without a schema, the schemas and names of those with one,
 * the operators, the types, the attributes, the relations, and the calls of functions that are not the server's.
 */
const LOOK = `
  WITH path AS (
    SELECT oid, nspname FROM pg_catalog.pg_namespace WHERE nspname = ANY ($1::text[] || 'pg_catalog'::text)),
  present AS (${PRESENT})
  SELECT p.proname::text AS token, 'function' AS kind
    FROM pg_catalog.pg_proc p JOIN path n ON n.oid = p.pronamespace
   WHERE p.proname = ANY ($2::text[]) AND p.oid >= ${FIRST_OF_USERS} AND NOT ${CALLABLE}
  UNION ALL
  SELECT p.proname::text, 'hidden'
    FROM pg_catalog.pg_proc p WHERE p.proname = ANY ($9::text[]) AND p.oid < ${FIRST_OF_USERS}
  UNION ALL
  SELECT p.proname::text, 'function'
    FROM ROWS FROM (pg_catalog.unnest($3::text[]), pg_catalog.unnest($4::text[])) AS q (nspname, proname)
    JOIN pg_catalog.pg_namespace n ON n.nspname = q.nspname
    JOIN pg_catalog.pg_proc p ON p.pronamespace = n.oid AND p.proname = q.proname
   WHERE NOT ${CALLABLE}
  UNION ALL
  SELECT o.oprname::text, 'operator'
    FROM pg_catalog.pg_operator o
    JOIN path n ON n.oid = o.oprnamespace
    JOIN pg_catalog.pg_proc p ON p.oid = o.oprcode
   WHERE o.oprname = ANY ($5::text[]) AND o.oid >= ${FIRST_OF_USERS} AND NOT ${HARMLESS}
  UNION ALL
  SELECT pg_catalog.format_type(c.casttarget, NULL), 'cast'
    FROM pg_catalog.pg_cast c
    JOIN pg_catalog.pg_proc p ON p.oid = c.castfunc
   WHERE p.oid >= ${FIRST_OF_USERS} AND NOT ${HARMLESS}
     AND (c.castcontext = 'i'
       OR EXISTS (SELECT FROM pg_catalog.pg_type t WHERE t.oid = c.castsource AND t.typname = ANY ($6::text[]))
       OR EXISTS (SELECT FROM pg_catalog.pg_type t WHERE t.oid = c.casttarget AND t.typname = ANY ($6::text[]))
          AND (c.castsource < ${FIRST_OF_USERS} OR c.castsource IN (SELECT oid FROM present)))
  UNION ALL
  SELECT pg_catalog.format_type(m.one, NULL), 'comparison'
    FROM (${COMPARING}) m
    JOIN pg_catalog.pg_proc p ON p.oid = m.function
   WHERE p.oid >= ${FIRST_OF_USERS} AND NOT ${HARMLESS}
     AND (m.one < ${FIRST_OF_USERS} OR m.one IN (SELECT oid FROM present) OR m.other IN (SELECT oid FROM present))
  UNION ALL
  SELECT t.typname::text, 'domain'
    FROM (${BECOME}) r
    JOIN pg_catalog.pg_type t ON t.oid = r.oid
    JOIN pg_catalog.pg_constraint c ON c.contypid = t.oid
    JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_constraint'::pg_catalog.regclass AND d.objid = c.oid
     AND d.refclassid = 'pg_catalog.pg_proc'::pg_catalog.regclass
    JOIN pg_catalog.pg_proc p ON p.oid = d.refobjid
   WHERE NOT ${HARMLESS}
  UNION ALL
  SELECT p.proname::text, 'attribute'
    FROM pg_catalog.pg_proc p JOIN path n ON n.oid = p.pronamespace
   WHERE p.proname = ANY ($7::text[]) AND p.oid >= ${FIRST_OF_USERS} AND NOT ${CALLABLE}
     AND (p.provariadic <> 0 OR (p.pronargs >= 1 AND p.pronargs - p.pronargdefaults <= 1))
  UNION ALL
  SELECT r.relname::text, 'relation'
    FROM pg_catalog.pg_class r
    JOIN path n ON n.oid = r.relnamespace
    JOIN pg_catalog.pg_depend d ON d.objid = r.oid AND d.deptype = 'e'
     AND d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass
   WHERE r.relname = ANY ($8::text[]) AND r.relname <> ALL (ARRAY['spatial_ref_sys', 'geometry_columns', 'geography_columns'])
   LIMIT 1`;

const REASONS: Readonly<Record<string, string>> = {
  hidden: 'the server has a function of this name that is not allowed; write the schema of the one that is meant',
  relation: 'it belongs to an extension, and may tell of the server or its users',
  function:
    'the database has a function of this name that may do more than compute (not STABLE or IMMUTABLE, SECURITY DEFINER, with a default that does more, or of an extension that is not known); write pg_catalog.… for the usual one',
  operator:
    'the database has an operator of this name whose function is not STABLE or IMMUTABLE; write OPERATOR(pg_catalog.…) for the usual one',
  cast: 'the database has a cast to this type whose function is not STABLE or IMMUTABLE',
  comparison:
    'the database compares values of this type by a function that is not STABLE or IMMUTABLE, and the statement may have such values',
  domain: 'values become this domain, and a check of it calls a function that is not STABLE or IMMUTABLE',
  attribute: 'it may be read as a call of a function that is not STABLE or IMMUTABLE',
};

/** What is to be looked up, or nothing where the statement is our own. */
type Looked = Pick<CheckedStatement, 'calls' | 'names'> & {
  /** Absent: the search path stays as it is. */
  readonly schemas?: readonly string[];
};

/** Begins the transaction, once for each connection or after its end. */
export async function lockedDown(
  connection: PostgresConnection,
  { schemas, calls, names }: Looked,
  ms: number,
): Promise<LockedDown> {
  const settings = Object.entries(settingsOf(ms, schemas));
  const looked = [
    arrayOf([...(names?.functions ?? []), ...(names?.attributes ?? []), ...calls.map(({ name }) => name)]),
    arrayOf(names?.operators ?? []),
    arrayOf(names?.types ?? []),
    arrayOf(names?.relations ?? []),
  ];
  const from = looked.length + 1;
  const sets = settings.map((_, i) => `pg_catalog.set_config($${from + 2 * i}, $${from + 2 * i + 1}, true)`);
  const question = `
    SELECT pg_catalog.current_setting('TimeZone'), ${ANYTHING}, ${sets.join(', ')},
           CASE WHEN pg_catalog.current_setting('is_superuser') = 'on'
                THEN pg_catalog.set_config('temp_file_limit', '${TEMP_FILES}', true) END`;
  const opening = new Opening(BEGIN, question, [...looked, ...settings.flat()]);
  connection.submit(opening);
  const [timeZone, anything] = (await connection.first(opening.result)) as [string, string];
  if (!names || anything !== 't') return { timeZone };
  const qualified = calls.filter(({ schema }) => schema !== '');
  const [found] = await connection.ask(LOOK, [
    schemas,
    names.functions,
    qualified.map(({ schema }) => schema),
    qualified.map(({ name }) => name),
    names.operators,
    names.types,
    names.attributes,
    names.relations ?? [],
    calls.filter(({ schema }) => schema === '').map(({ name }) => name),
  ]);
  if (!found) return { timeZone };
  const [token, kind] = found as [string, string];
  return { timeZone, refused: { token, reason: REASONS[kind]! } };
}

/** As the server reads a list of texts. */
const arrayOf = (texts: readonly string[]): string =>
  `{${texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
