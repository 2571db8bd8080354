/**
 * The session of a query: a transaction that is taken back, and a look at what the login could do.
 *
 * SQL Server has no sessions that cannot write. Its wall is the login: one that may change data is refused, unless the
 * operator lets it be (SEC-50).
 */
const LOCK_MS = 5000;

export const beginning = (ms: number): string => `
SET NOCOUNT ON;
SET XACT_ABORT ON;
SET DEADLOCK_PRIORITY LOW;
SET LOCK_TIMEOUT ${Math.min(Math.max(Math.trunc(ms), 1), LOCK_MS)};
IF EXISTS (SELECT 1 FROM sys.databases WHERE database_id = DB_ID() AND snapshot_isolation_state = 1)
  SET TRANSACTION ISOLATION LEVEL SNAPSHOT;
BEGIN TRANSACTION;
${RIGHTS()}`;

export const ENDING = 'IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION;';

const OF_DATABASE = ['INSERT', 'UPDATE', 'DELETE', 'EXECUTE', 'ALTER', 'CONTROL', 'CREATE TABLE', 'CREATE PROCEDURE'];
const OF_TABLE = ['INSERT', 'UPDATE', 'DELETE', 'ALTER'];

/**
 * One row: the schema of the user, the time zone, the names that stand for something elsewhere, and the rights to do
 * more than read.
 */
function RIGHTS(): string {
  const onDatabase = OF_DATABASE.map(
    (right) => `IIF(HAS_PERMS_BY_NAME(QUOTENAME(DB_NAME()), 'DATABASE', '${right}') = 1, '${right}, ', '')`,
  );
  const onTable = OF_TABLE.map(
    (right) => `HAS_PERMS_BY_NAME(QUOTENAME(s.name) + '.' + QUOTENAME(o.name), 'OBJECT', '${right}')`,
  );
  return `
SELECT SCHEMA_NAME(), DATENAME(TZOFFSET, SYSDATETIMEOFFSET()), (
  SELECT LOWER(s.name) + N'.' + LOWER(o.name) + N'/' FROM sys.synonyms o JOIN sys.schemas s ON s.schema_id = o.schema_id
  FOR XML PATH(''), TYPE).value('.', 'nvarchar(max)'), CONCAT(
  IIF(HAS_PERMS_BY_NAME(NULL, NULL, 'CONTROL SERVER') = 1, 'CONTROL SERVER, ', ''),
  ${onDatabase.join(',\n  ')},
  (SELECT TOP (1) QUOTENAME(s.name) + '.' + QUOTENAME(o.name)
   FROM sys.objects o JOIN sys.schemas s ON s.schema_id = o.schema_id
   WHERE o.type IN ('U', 'V') AND o.is_ms_shipped = 0 AND 1 IN (${onTable.join(', ')})));`;
}

export interface SessionFacts {
  readonly defaultSchema: string;
  /** Of the server's clock: `+02:00`. */
  readonly timeZone: string;
  /** `schema.name` of synonyms, in lower case: they may lead to other databases and servers. */
  readonly synonyms: readonly string[];
  /** Rights to do more than read; empty for a login as it should be. */
  readonly writes: string;
}

export const factsOf = (row: readonly unknown[] | undefined): SessionFacts => ({
  defaultSchema: textOf(row?.[0]),
  timeZone: textOf(row?.[1]),
  synonyms: textOf(row?.[2]).split('/').filter(Boolean),
  writes: textOf(row?.[3]).replace(/, $/, ''),
});

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
