/** The engines of this server, by what the scheme of a connection string says. */
import { readFileSync } from 'node:fs';
import type { Config } from '@app/platform';
import type { Dial, Engines } from './databases';
import { GuardPool } from './guard-pool';
import { MysqlEngine } from './mysql/mysql-engine';

/** Statements that are read at once: each takes a small part of a thousandth. */
const GUARDS = 1;

export class DatabaseEngines {
  readonly engines: Engines;

  private readonly guards = new GuardPool({ workers: GUARDS });

  constructor(dial: Dial, { databases }: Pick<Config, 'databases' | 'sql'>) {
    const ca = databases.caFile === undefined ? undefined : readFileSync(databases.caFile, 'utf8');
    const network = { dial, guards: this.guards, limits: { connectMs: databases.connectMs }, ca };
    this.engines = { mysql: new MysqlEngine(network) };
  }

  close(): Promise<void> {
    return this.guards.close();
  }
}
