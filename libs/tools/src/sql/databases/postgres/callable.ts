/** Which functions of a database itself a query may call, as conditions on `pg_proc p` (SEC-46). */

/**
 * Extensions written in C whose functions only compute. Others of that kind may run SQL from a text, whatever they are
 * declared as: `crosstab` and `xpath_table` are STABLE.
 */
const COMPUTING = [
  ...['citext', 'hstore', 'pg_trgm', 'unaccent', 'fuzzystrmatch', 'ltree', 'intarray', 'cube', 'earthdistance'],
  ...['pgcrypto', 'uuid-ossp', 'isn', 'seg', 'vector', 'ip4r', 'semver', 'hll', 'tdigest', 'h3'],
];
/** Of these, what is IMMUTABLE: the rest looks into catalogs and files. */
const COMPUTING_WHERE_IMMUTABLE = ['postgis', 'postgis_raster', 'postgis_sfcgal', 'timescaledb'];

const list = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ');

const inExtension = (names: readonly string[]): string => `EXISTS (
  SELECT FROM pg_catalog.pg_depend dx JOIN pg_catalog.pg_extension x ON x.oid = dx.refobjid
   WHERE dx.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND dx.objid = p.oid AND dx.deptype = 'e'
     AND dx.refclassid = 'pg_catalog.pg_extension'::pg_catalog.regclass AND x.extname IN (${list(names)}))`;

/** Says of itself that it changes nothing, and does not borrow the rights of its owner. */
export const HARMLESS = `(p.provolatile IN ('i', 's') AND NOT p.prosecdef)`;

/**
 * What a default of one of its arguments calls, where the caller leaves that out: only what is harmless, and has no
 * defaults in its turn. It is read out of the stored expression, since dependencies name no function of the server's.
 */
const HARMLESS_DEFAULTS = `(p.pronargdefaults = 0 OR NOT EXISTS (
  SELECT FROM pg_catalog.regexp_matches(p.proargdefaults::pg_catalog.text, ':(?:op)?funcid ([0-9]+)', 'g') AS called (numbers)
    JOIN pg_catalog.pg_proc c ON c.oid = called.numbers[1]::pg_catalog.oid
   WHERE c.provolatile = 'v' OR c.prosecdef OR c.pronargdefaults > 0)
  AND p.proargdefaults::pg_catalog.text !~ '{COERCETODOMAIN ')`;

/**
 * Harmless, and in a language that keeps to what a role may do, or of an extension that is known. An aggregate is what
 * its parts are: it is always called immutable itself.
 */
export const CALLABLE = `(
  p.prokind IN ('f', 'a', 'w') AND ${HARMLESS} AND ${HARMLESS_DEFAULTS}
  AND (p.prokind = 'a'
    OR (SELECT l.lanpltrusted FROM pg_catalog.pg_language l WHERE l.oid = p.prolang)
    OR ${inExtension(COMPUTING)}
    OR (p.provolatile = 'i' AND ${inExtension(COMPUTING_WHERE_IMMUTABLE)}))
  AND NOT EXISTS (
    SELECT FROM pg_catalog.pg_aggregate g JOIN pg_catalog.pg_proc s ON s.oid IN (
      g.aggtransfn, g.aggfinalfn, g.aggcombinefn, g.aggmtransfn, g.aggminvtransfn, g.aggmfinalfn)
     WHERE g.aggfnoid = p.oid AND (s.provolatile = 'v' OR s.prosecdef)))`;
