/** The engines of this server, by what the scheme of a connection string says. */
import { readFileSync } from 'node:fs';
import type { Config } from '@app/platform';
import type { Dial, Engines } from './databases';
import { GuardPool } from './guard-pool';
import { MysqlEngine } from './mysql/mysql-engine';
import { PostgresEngine } from './postgres/postgres-engine';
import { SqlServerEngine } from './sql-server/sql-server-engine';
import { SqliteEngine } from './sqlite/sqlite-engine';

export class DatabaseEngines {
  readonly engines: Engines;
  private readonly guards: GuardPool;
  private readonly sqlite: SqliteEngine | undefined;

  /** @throws Error for a file of certificates that cannot be read. */
  constructor(dial: Dial, { databases, sql }: Pick<Config, 'databases' | 'sql'>) {
    const guards = new GuardPool({ workers: sql.workers });
    const ca = databases.caFile === undefined ? undefined : readCertificates(databases.caFile);
    const reached = { dial, guards, limits: { connectMs: databases.connectMs }, ...(ca !== undefined && { ca }) };
    this.guards = guards;
    this.sqlite =
      databases.sqliteDir === undefined ? undefined : new SqliteEngine({ guards, settings: databases, limits: sql });
    this.engines = {
      postgres: new PostgresEngine(reached),
      mysql: new MysqlEngine(reached),
      sqlserver: new SqlServerEngine({ ...reached, login: databases.sqlServerLogin }),
      ...(this.sqlite && { sqlite: this.sqlite }),
    };
  }

  async close(): Promise<void> {
    await Promise.all([this.guards.close(), this.sqlite?.close()]);
  }
}

/** Read once, at the start: a file that is not there is a mistake of today, not of the first question. */
function readCertificates(file: string): string {
  let text = '';
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new Error(`DATABASE_CA_FILE: ${file} cannot be read (${code}).`);
  }
  if (!text.includes('-----BEGIN CERTIFICATE-----'))
    throw new Error(`DATABASE_CA_FILE: ${file} holds no certificate in PEM.`);
  return text;
}
