/** The databases that requests name: from an artifact of `tool_context` to a target and the engine that talks to it. */
import type { Caller } from '@app/access';
import type { ToolContextOf } from '@app/contract';
import { EgressError, type DatabaseDialer, type Logger } from '@app/platform';
import type { Catalog, CatalogWish, TableSample } from './catalog';
import { ConnectionError } from './connection-error';
import { readConnectionString } from './connection-string';
import type {
  CheckedStatement,
  DatabaseEngine,
  DatabaseLimits,
  DatabaseOutcome,
  GuardScope,
  TableName,
  Verdict,
} from './database-engine';
import type { QuerySlots } from './query-slots';
import type { DatabaseTarget, EngineName, Target } from './target';

export type Engines = { readonly [Name in EngineName]?: DatabaseEngine<Extract<Target, { readonly engine: Name }>> };

/** Opens a socket to a database, where that is allowed. @throws ConnectionError; the signal's reason. */
export type Dial = (target: DatabaseTarget, signal: AbortSignal) => ReturnType<DatabaseDialer['dial']>;

export const dialBy =
  (dialer: Pick<DatabaseDialer, 'dial'>): Dial =>
  async (target, signal) => {
    try {
      return await dialer.dial(target, signal);
    } catch (error) {
      if (!(error instanceof EgressError)) throw error;
      const words = error.message.slice(error.token.length + 2);
      if (error.token === 'egress_denied') throw ConnectionError.denied(words.charAt(0).toUpperCase() + words.slice(1));
      throw ConnectionError.failed(words);
    }
  };

export interface DatabasesParts {
  readonly engines: Engines;
  readonly slots: QuerySlots;
  readonly maxObjects: number;
  readonly log: Pick<Logger, 'warn'>;
}

export class Databases {
  constructor(private readonly parts: DatabasesParts) {}

  /** @throws ConnectionError `connection_denied` for what cannot be read, or has no engine here. */
  open(caller: Caller, artifact: ToolContextOf<'sql_database'>): OpenDatabase {
    const target = readConnectionString(artifact.connection_string, artifact.ssl);
    const engine = this.parts.engines[target.engine] as DatabaseEngine | undefined;
    if (!engine) {
      throw ConnectionError.denied(
        'Databases of this kind are not enabled on this server' +
          (target.engine === 'sqlite' ? ' (setting DATABASE_SQLITE_DIR).' : '.'),
      );
    }
    return new OpenDatabase(caller, artifact, target, engine, this.parts);
  }
}

/** One database of a request. Whatever opens a connection waits for its turn, and tells the log why it failed. */
export class OpenDatabase {
  readonly wish: CatalogWish;

  constructor(
    private readonly caller: Caller,
    artifact: ToolContextOf<'sql_database'>,
    readonly target: Target,
    private readonly engine: DatabaseEngine,
    private readonly parts: DatabasesParts,
  ) {
    const named = [...new Set([...(artifact.schema ? [artifact.schema] : []), ...(artifact.schemas ?? [])])];
    this.wish = {
      ...(named.length > 0 && { schemas: named }),
      tables: artifact.enable_tables,
      views: artifact.enable_views,
      functions: artifact.enable_functions,
      procedures: artifact.enable_procedures,
      maxObjects: parts.maxObjects,
    };
  }

  dialectOf(catalog: Catalog): ReturnType<DatabaseEngine['dialectOf']> {
    return this.engine.dialectOf(catalog);
  }

  readCatalog(target: Target, wish: CatalogWish, signal: AbortSignal): Promise<Catalog> {
    return this.inTurn(signal, () => this.engine.readCatalog(target, wish, signal));
  }

  sample(target: Target, tables: readonly TableName[], signal: AbortSignal): Promise<TableSample[]> {
    return this.inTurn(signal, () => this.engine.sample(target, tables, signal));
  }

  guard(sql: string, scope: GuardScope, signal: AbortSignal): Promise<Verdict> {
    return this.engine.guard(sql, scope, signal);
  }

  run(statement: CheckedStatement, limits: DatabaseLimits, signal: AbortSignal): Promise<DatabaseOutcome> {
    // The turn lasts until the server has closed its side; whoever asked has the answer before.
    return new Promise((resolve, reject) => {
      const running = this.inTurn(signal, () => this.engine.run(this.target, statement, limits, signal, resolve));
      running.then(resolve, reject);
    });
  }

  /** Connects and asks for nothing. @throws ConnectionError; the signal's reason. */
  async probe(ms: number, signal: AbortSignal): Promise<void> {
    const trivial = { sql: 'SELECT 1', schemas: [], calls: [] };
    const outcome = await this.run(trivial, { rows: 1, bytes: 1024, cell: 1024, ms }, signal);
    if (outcome.kind !== 'rows') throw ConnectionError.failed(`a trivial query came to ${outcome.kind}`);
  }

  private async inTurn<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    try {
      return await this.parts.slots.hold(this.caller.organisationId, placeOf(this.target), signal, work);
    } catch (error) {
      if (error instanceof ConnectionError) {
        const { organisationId: organisation } = this.caller;
        const place = this.target.engine === 'sqlite' ? {} : { host: this.target.host, port: this.target.port };
        const { engine } = this.target;
        const detail = withoutAccount(error.detail ?? '', this.target);
        this.parts.log.warn({ organisation, engine, ...place, why: error.token, detail }, 'A database was not used');
      }
      throw error;
    }
  }
}

/** Servers say whom they refuse, and what for: the words of a connection string do not get into the log (SEC-135). */
function withoutAccount(detail: string, target: Target): string {
  if (target.engine === 'sqlite') return detail;
  const words = [target.password.reveal(), target.user, target.database].filter((word) => word.length > 2);
  const longestFirst = words.sort((one, other) => other.length - one.length);
  return longestFirst.reduce((text, word) => text.replaceAll(word, '[redacted]'), detail);
}

const placeOf = (target: Target): string =>
  target.engine === 'sqlite'
    ? `sqlite ${target.path}`
    : `${target.engine} ${target.host} ${target.port} ${target.database}`;
