/**
 * Types by which a number becomes a name of the catalogs: `10::regrole` is a user, `16384::regclass` a table of any
 * schema, and a row type of a catalog has columns of such types (SEC-46, SEC-53).
 *
 * Not `regconfig`, which full text is asked with.
 */
const TELLING: ReadonlySet<string> = new Set([
  ...['regclass', 'regcollation', 'regdatabase', 'regdictionary', 'regnamespace', 'regoper', 'regoperator', 'regproc'],
  ...['regprocedure', 'regrole', 'regtype', 'aclitem'],
]);
const HARMLESS: ReadonlySet<string> = new Set(['pg_lsn', 'pg_snapshot']);

/** @param name of a type of PostgreSQL's own, or of the array of one. */
export function tellsOfServer(name: string): boolean {
  const element = name.replace(/^_/, '');
  return TELLING.has(element) || (element.startsWith('pg_') && !HARMLESS.has(element));
}
