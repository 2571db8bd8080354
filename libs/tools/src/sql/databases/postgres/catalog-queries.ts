/** What is asked of PostgreSQL's catalogs: a handful of queries, whatever the number of tables. Version 12 and later. */
import { CALLABLE } from './callable';

/** `$1`: names of schemas, or NULL for all that are not the system's. Those of the search path come first. */
export const SCHEMAS = `
  SELECT n.nspname
    FROM pg_catalog.pg_namespace n
   WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
     AND ($1::text[] IS NULL OR n.nspname = ANY ($1::text[]))
     AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')
   ORDER BY pg_catalog.array_position(pg_catalog.current_schemas(false)::text[], n.nspname::text), n.nspname`;

const OF_EXTENSION = (catalog: string, object: string): string => `EXISTS (
  SELECT FROM pg_catalog.pg_depend e
   WHERE e.classid = 'pg_catalog.${catalog}'::pg_catalog.regclass AND e.objid = ${object} AND e.deptype = 'e')`;

/**
 * `$1` schemas, `$2` kinds, `$3` how many at most. A partition is read through its parent, and so is not shown; what an
 * extension keeps for itself is not either.
 */
export const RELATIONS = `
  SELECT c.oid, n.nspname, c.relname,
         CASE WHEN c.relkind IN ('v', 'm') THEN 'view' ELSE 'table' END,
         pg_catalog.obj_description(c.oid, 'pg_class'),
         CASE WHEN c.relkind = 'p' THEN
           (SELECT pg_catalog.sum(l.reltuples) FROM pg_catalog.pg_partition_tree(c.oid) t
              JOIN pg_catalog.pg_class l ON l.oid = t.relid WHERE t.isleaf AND l.reltuples >= 0)
         WHEN c.relkind <> 'v' AND c.reltuples >= 0 AND c.relpages > 0 THEN c.reltuples END
    FROM pg_catalog.pg_class c
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
   WHERE n.nspname = ANY ($1::text[]) AND c.relkind = ANY ($2::"char"[]) AND NOT c.relispartition
     AND (pg_catalog.has_table_privilege(c.oid, 'SELECT') OR pg_catalog.has_any_column_privilege(c.oid, 'SELECT'))
     AND NOT ${OF_EXTENSION('pg_class', 'c.oid')}
   ORDER BY pg_catalog.array_position($1::text[], n.nspname::text), c.relname
   LIMIT $3::int`;

/** `$1`: relations. */
export const COLUMNS = `
  SELECT a.attrelid, a.attnum, a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod), a.attnotnull,
         pg_catalog.col_description(a.attrelid, a.attnum),
         CASE WHEN b.typelem <> 0 AND b.typcategory = 'A' THEN b.typelem ELSE b.oid END, t.oid
    FROM pg_catalog.pg_attribute a
    JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
    JOIN pg_catalog.pg_type b ON b.oid = CASE WHEN t.typbasetype <> 0 THEN t.typbasetype ELSE t.oid END
   WHERE a.attrelid = ANY ($1::pg_catalog.oid[]) AND a.attnum > 0 AND NOT a.attisdropped
     AND pg_catalog.has_column_privilege(a.attrelid, a.attnum, 'SELECT')
   ORDER BY a.attrelid, a.attnum`;

/** Of every enum that there is: they are few. */
export const LABELS = `
  SELECT e.enumtypid, e.enumlabel FROM pg_catalog.pg_enum e ORDER BY e.enumtypid, e.enumsortorder`;

/** Primary and foreign keys, and checks of one column or of a domain. `$1`: relations. */
export const CONSTRAINTS = `
  SELECT c.contype::text, c.conrelid, c.contypid, fn.nspname, fc.relname,
         (SELECT pg_catalog.json_agg(a.attname ORDER BY k.n)
            FROM pg_catalog.unnest(c.conkey) WITH ORDINALITY k (attnum, n)
            JOIN pg_catalog.pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.attnum),
         (SELECT pg_catalog.json_agg(a.attname ORDER BY k.n)
            FROM pg_catalog.unnest(c.confkey) WITH ORDINALITY k (attnum, n)
            JOIN pg_catalog.pg_attribute a ON a.attrelid = c.confrelid AND a.attnum = k.attnum),
         CASE WHEN c.contype = 'c' THEN pg_catalog.pg_get_constraintdef(c.oid) END
    FROM pg_catalog.pg_constraint c
    LEFT JOIN pg_catalog.pg_class fc ON fc.oid = c.confrelid
    LEFT JOIN pg_catalog.pg_namespace fn ON fn.oid = fc.relnamespace
   WHERE (c.conrelid = ANY ($1::pg_catalog.oid[]) AND c.contype IN ('p', 'f', 'c')
          AND (c.contype <> 'c' OR pg_catalog.cardinality(c.conkey) = 1))
      OR (c.contypid <> 0 AND c.contype = 'c')
   ORDER BY c.conrelid, c.conname`;

/**
 * `$1` schemas, `$2` kinds, `$3` how many at most. Those of extensions come last: there may be hundreds. What only the
 * server itself can call is left out.
 */
export const ROUTINES = `
  SELECT n.nspname, p.proname, CASE WHEN p.prokind = 'p' THEN 'procedure' ELSE 'function' END,
         pg_catalog.pg_get_function_arguments(p.oid), pg_catalog.pg_get_function_result(p.oid),
         pg_catalog.obj_description(p.oid, 'pg_proc'), ${CALLABLE}
    FROM pg_catalog.pg_proc p
    JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
   WHERE n.nspname = ANY ($1::text[]) AND p.prokind = ANY ($2::"char"[])
     AND pg_catalog.has_function_privilege(p.oid, 'EXECUTE')
     AND NOT EXISTS (
       SELECT FROM pg_catalog.unnest(p.proargtypes::pg_catalog.oid[] || p.prorettype) i
        WHERE i IN (2281, 2275, 2279, 3838, 325, 3310, 2280, 3115, 269))
   ORDER BY ${OF_EXTENSION('pg_proc', 'p.oid')}, pg_catalog.array_position($1::text[], n.nspname::text), p.proname, p.oid
   LIMIT $3::int`;
