/** A database that a request names, read out of its connection string by our own parser (SEC-40). */
import type { Secret } from '@app/platform';

/** The kind of server, as the scheme of a connection string says it. MySQL and MariaDB are one until connected. */
export type EngineName = 'postgres' | 'mysql' | 'sqlserver' | 'sqlite';

export interface DatabaseTarget {
  readonly engine: Exclude<EngineName, 'sqlite'>;
  /** A name or an address, without brackets. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: Secret;
  readonly database: string;
  /** Verified TLS, chain and name, or no connection (SEC-54). */
  readonly tls: boolean;
}

/** A file under `DATABASE_SQLITE_DIR`, not yet looked for. */
export interface SqliteTarget {
  readonly engine: 'sqlite';
  /** Relative to the folder, as the caller wrote it. */
  readonly path: string;
}

export type Target = DatabaseTarget | SqliteTarget;
