/** SQL Server as a database of `database_query` (SEC-50). */
import type { SqlDialect } from '@app/models';
import type { Row } from '../../exact-value';
import { distinctNames, RowCollector } from '../../row-collector';
import type { Catalog, CatalogWish, TableSample } from '../catalog';
import { summarise } from '../column-summary';
import { ConnectionError } from '../connection-error';
import type {
  CheckedStatement,
  DatabaseEngine,
  DatabaseLimits,
  DatabaseOutcome,
  GuardScope,
  TableName,
  Verdict,
} from '../database-engine';
import type { GuardPool } from '../guard-pool';
import type { DatabaseTarget } from '../target';
import { readCatalog } from './read-catalog';
import { beginning, ENDING, factsOf, type SessionFacts } from './rights';
import { Session, type ColumnType, type Ended, type SessionOptions } from './session';
import { messageOf } from './sql-server-errors';
import { tablesOf } from './sql-server-guard';
import { typeName } from './type-names';

export interface SqlServerEngineOptions extends Pick<SessionOptions, 'dial' | 'ca'> {
  readonly limits: { readonly connectMs: number };
  readonly guards: Pick<GuardPool, 'check'>;
  /** Whether a login that could do more than read is let be (`DATABASE_SQL_SERVER_LOGIN`). */
  readonly login: 'read_only' | 'any';
}

const CATALOG_MS = 30_000;
const SAMPLE_MS = 3000;
const ENDING_MS = 500;
const SAMPLED_ROWS = 1000;
const MiB = 1024 * 1024;
const CATALOG_BYTES = 256 * MiB;
/** What is read for a request of ours, and for what a result is besides its rows. */
const OVERHEAD_BYTES = 8 * MiB;
/** Of a sampled value, and of a comment. */
const SHORT_TEXT_BYTES = 8000;

export class SqlServerEngine implements DatabaseEngine<DatabaseTarget> {
  constructor(private readonly options: SqlServerEngineOptions) {}

  dialectOf(): SqlDialect {
    return 'SQL Server';
  }

  guard(sql: string, scope: GuardScope, signal: AbortSignal): Promise<Verdict> {
    return this.options.guards.check('sqlserver', sql, scope, signal);
  }

  readCatalog(target: DatabaseTarget, wish: CatalogWish, signal: AbortSignal): Promise<Catalog> {
    return this.inSession(target, { textBytes: MiB, ms: CATALOG_MS }, signal, (session, facts) =>
      readCatalog((sql, values) => rowsOf(session, sql, values, CATALOG_BYTES, signal), wish, facts),
    );
  }

  sample(target: DatabaseTarget, tables: readonly TableName[], signal: AbortSignal): Promise<TableSample[]> {
    return this.inSession(target, { textBytes: SHORT_TEXT_BYTES, ms: SAMPLE_MS }, signal, async (session) => {
      const samples: TableSample[] = [];
      const until = Date.now() + SAMPLE_MS;
      for (const { schema, name } of tables) {
        const sample = Date.now() < until ? await sampleOf(session, { schema, name }, until, signal) : undefined;
        if (sample === 'lost') break;
        if (sample) samples.push(sample);
      }
      return samples;
    });
  }

  async run(
    target: DatabaseTarget,
    statement: CheckedStatement,
    limits: DatabaseLimits,
    signal: AbortSignal,
  ): Promise<DatabaseOutcome> {
    const session = { textBytes: 2 * limits.cell + 2, ms: limits.ms };
    return this.inSession(target, session, signal, async (open, facts) => {
      const refusal = nameElsewhere(statement, facts) ?? (await this.unknownCall(open, statement, signal));
      if (refusal) return refusal;
      const outcome = await query(open, statement.sql, limits, signal);
      if (outcome.kind !== 'rows') return outcome;
      const notes = facts.writes === '' ? {} : { notes: [ONLY_THE_GUARD] };
      return { ...outcome, timeZone: facts.timeZone, ...notes };
    });
  }

  /** A function may have changed since the catalog was read (SEC-46). */
  private async unknownCall(
    session: Session,
    { calls }: CheckedStatement,
    signal: AbortSignal,
  ): Promise<DatabaseOutcome | undefined> {
    if (calls.length === 0) return undefined;
    const wish = { schemas: [...new Set(calls.map(({ schema }) => schema))], maxObjects: 10_000 };
    const { routines } = await readCatalog(
      (sql, values) => rowsOf(session, sql, values, CATALOG_BYTES, signal),
      { ...wish, tables: false, views: false, functions: true, procedures: false },
      { defaultSchema: '', timeZone: '' },
    );
    const unknown = calls.find((call) => !routines.some((routine) => routine.callable && isSame(routine, call)));
    return (
      unknown && { kind: 'refused', token: `${unknown.schema}.${unknown.name}`, reason: 'this function is not allowed' }
    );
  }

  private async inSession<T>(
    target: DatabaseTarget,
    { textBytes, ms }: { readonly textBytes: number; readonly ms: number },
    signal: AbortSignal,
    work: (session: Session, facts: SessionFacts) => Promise<T>,
  ): Promise<T> {
    const session = await Session.open(target, { ...this.options, ...this.options.limits, textBytes }, signal);
    try {
      const rows: Row[] = [];
      const ended = await session.batch(beginning(ms), {
        ...ourRequest(rows, signal),
        ms: this.options.limits.connectMs,
      });
      if (ended.kind !== 'done' || rows.length !== 1)
        throw ConnectionError.failed(`the session did not begin (${wordsOf(ended)})`);
      const facts = factsOf(rows[0]);
      if (facts.writes !== '' && this.options.login === 'read_only') throw mayWrite(facts.writes);
      const result = await work(session, facts);
      // Closing the connection has the same effect, only not at once.
      await session.batch(ENDING, { ...ourRequest([], signal), ms: ENDING_MS }).catch(() => undefined);
      return result;
    } finally {
      session.close();
    }
  }
}

const mayWrite = (rights: string) =>
  ConnectionError.denied(
    'The login may do more than read this database, and SQL Server has no sessions that cannot write. Give a login that ' +
      'may only read (a member of db_datareader and of nothing else), or have the operator allow any login ' +
      '(DATABASE_SQL_SERVER_LOGIN=any).',
    `the login has the rights ${rights.slice(0, 300)}`,
  );

const ONLY_THE_GUARD =
  'The login may do more than read this database; give one that may only read (db_datareader), and nothing depends on ' +
  'what statements look like.';

async function query(session: Session, sql: string, limits: DatabaseLimits, signal: AbortSignal) {
  const collector = new RowCollector(limits);
  let columns: readonly ColumnType[] = [];
  const ended = await session.execute(sql, {
    ms: limits.ms,
    maxBytes: 4 * limits.bytes + OVERHEAD_BYTES,
    signal,
    onColumns: (found) => (columns = found),
    onRow: (row) => collector.add(row),
  });
  if (ended.kind === 'time') return { kind: 'stopped', limit: 'time' } as const;
  if (ended.kind === 'too_much') return { kind: 'stopped', limit: 'memory' } as const;
  if (ended.kind === 'lost') return { kind: 'failed', message: 'The connection was lost.' } as const;
  if (ended.kind === 'error') return { kind: 'failed', message: messageOf(ended.number, ended.message) } as const;
  const names = distinctNames(columns.map(({ colName }, i) => (colName === '' ? `column_${i + 1}` : colName)));
  return collector.result(columns.map((column, i) => ({ name: names[i]!, type: typeName(column) })));
}

/**
 * What the names of a statement mean in its session: without a schema, a table of the user's own schema before one of
 * `dbo`; and as a synonym, anything anywhere.
 */
function nameElsewhere(
  { sql, schemas }: CheckedStatement,
  { defaultSchema, synonyms }: SessionFacts,
): DatabaseOutcome | undefined {
  if (schemas.length === 0) return undefined;
  const tables = readTables(sql);
  if (!tables) return { kind: 'refused', token: '', reason: 'its tables cannot be read' };
  const inScope = schemas.some((schema) => schema.toLowerCase() === defaultSchema.toLowerCase());
  if (!inScope && tables.some(({ schema }) => schema === undefined)) {
    return {
      kind: 'refused',
      token: defaultSchema,
      reason: 'names need their schema, for the schema of the user is not in scope',
    };
  }
  const known = new Set(synonyms);
  const synonym = tables.find(({ schema, name }) =>
    (schema === undefined ? [defaultSchema, 'dbo'] : [schema]).some((each) =>
      known.has(`${each}.${name}`.toLowerCase()),
    ),
  );
  return (
    synonym && {
      kind: 'refused',
      token: synonym.name,
      reason: 'it is a synonym, which may stand for a table elsewhere',
    }
  );
}

function readTables(sql: string): ReturnType<typeof tablesOf> | undefined {
  try {
    return tablesOf(sql);
  } catch {
    return undefined;
  }
}

const isSame = (a: TableName, b: TableName) =>
  a.schema.toLowerCase() === b.schema.toLowerCase() && a.name.toLowerCase() === b.name.toLowerCase();

const ourRequest = (rows: Row[], signal: AbortSignal) => ({
  maxBytes: OVERHEAD_BYTES,
  signal,
  onRow: (row: Row) => rows.push(row) > 0,
});

async function rowsOf(
  session: Session,
  sql: string,
  values: readonly (string | number)[],
  maxBytes: number,
  signal: AbortSignal,
): Promise<Row[]> {
  const rows: Row[] = [];
  const ended = await session.execute(sql, { ...ourRequest(rows, signal), values, maxBytes, ms: CATALOG_MS });
  if (ended.kind !== 'done') throw ConnectionError.failed(`the catalog could not be read (${wordsOf(ended)})`);
  return rows;
}

const wordsOf = (ended: Ended) => (ended.kind === 'error' ? `error ${ended.number}` : ended.kind);

async function sampleOf(
  session: Session,
  { schema, name }: TableName,
  until: number,
  signal: AbortSignal,
): Promise<TableSample | 'lost' | undefined> {
  const rows: Row[] = [];
  let columns: readonly ColumnType[] = [];
  const ended = await session.execute(`SELECT TOP (${SAMPLED_ROWS + 1}) * FROM ${quoted(schema)}.${quoted(name)}`, {
    ...ourRequest(rows, signal),
    maxBytes: 64 * MiB,
    ms: Math.max(until - Date.now(), 1),
    onColumns: (found) => (columns = found),
  });
  if (ended.kind === 'lost' || ended.kind === 'too_much') return 'lost';
  if (ended.kind !== 'done') return undefined;
  const complete = rows.length <= SAMPLED_ROWS;
  const shown = rows.slice(0, SAMPLED_ROWS).map((row) => row.map((value, i) => (isBinary(columns[i]) ? null : value)));
  return {
    schema,
    name,
    columns: summarise(
      columns.map(({ colName }) => colName),
      shown,
      complete,
    ),
  };
}

const isBinary = (column: ColumnType | undefined) => /Binary|Image|UDT/.test(column?.type.name ?? '');

const quoted = (name: string) => `[${name.replaceAll(']', ']]')}]`;
