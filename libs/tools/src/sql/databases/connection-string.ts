/**
 * Reads connection strings: ours, for all engines, so that no driver ever sees one (SEC-40).
 *
 * A driver's own parser follows what the string says: another host, a socket, a key file to read, several statements at
 * once. Here a string gives an address, an account and a database, and whether TLS is wanted; anything else refuses it.
 * A refusal quotes nothing of the string but names that we know ourselves: where an `@` or a `/` was not encoded, what
 * looks like a host may be the rest of a password.
 */
import { Secret } from '@app/platform';
import { ConnectionError } from './connection-error';
import { readOdbcString } from './odbc-string';
import { parametersOf, type Parameters, type TlsWish } from './connection-parameters';
import type { DatabaseTarget, EngineName, SqliteTarget, Target } from './target';

interface Scheme {
  readonly engine: EngineName;
  readonly defaultPort: number;
}

const POSTGRES: Scheme = { engine: 'postgres', defaultPort: 5432 };
const MYSQL: Scheme = { engine: 'mysql', defaultPort: 3306 };
const SQL_SERVER: Scheme = { engine: 'sqlserver', defaultPort: 1433 };
const SQLITE: Scheme = { engine: 'sqlite', defaultPort: 0 };

/** Exactly these, as written (SEC-41): a scheme that is nearly one of them is none. */
const SCHEMES: ReadonlyMap<string, Scheme> = new Map([
  ...['postgres', 'postgresql', 'postgresql+psycopg', 'postgresql+psycopg2', 'postgresql+asyncpg'].map(
    (scheme) => [scheme, POSTGRES] as const,
  ),
  ...['mysql', 'mysql+mysqldb', 'mysql+pymysql', 'mysql+mysqlconnector', 'mysql+aiomysql', 'mysql+asyncmy'].map(
    (scheme) => [scheme, MYSQL] as const,
  ),
  ...['mariadb', 'mariadb+mysqldb', 'mariadb+pymysql', 'mariadb+mariadbconnector'].map(
    (scheme) => [scheme, MYSQL] as const,
  ),
  ...['mssql', 'mssql+pyodbc', 'mssql+pymssql'].map((scheme) => [scheme, SQL_SERVER] as const),
  ...['sqlite', 'sqlite+pysqlite'].map((scheme) => [scheme, SQLITE] as const),
]);

const FORM = /^([a-z][a-z0-9+]*):\/\/([^/?#]*)(\/[^?#]*)?(?:\?([^#]*))?$/;
const MAX_NAME = 255;
const MAX_PASSWORD = 2048;

/**
 * @param ssl what the request says beside the string; the two may not contradict each other.
 * @throws ConnectionError `connection_denied`, without a word of the string.
 */
export function readConnectionString(text: string, ssl = false): Target {
  const [, name = '', authority = '', path = '', query] = FORM.exec(text.trim()) ?? [];
  const scheme = SCHEMES.get(name);
  if (!scheme && name !== '') {
    throw denied(`That kind of database is not supported. Schemes are ${[...SCHEMES.keys()].join(', ')}.`);
  }
  if (!scheme) {
    throw denied(
      'The connection string is not of the form scheme://user:password@host:port/database. In user, password and ' +
        'database the characters / ? # @ : % are percent-encoded: %2F %3F %23 %40 %3A %25.',
    );
  }
  if (path.includes('@') || query?.includes('@')) {
    throw denied(
      'The connection string has an @ after its first / or ?. In user, password and database the characters ' +
        '/ ? # @ : % are percent-encoded: %2F %3F %23 %40 %3A %25.',
    );
  }
  if (scheme.engine === 'sqlite') return sqliteTarget(authority, path, query);
  const parameters = parametersOf(scheme.engine, query);
  const target =
    parameters.odbc === undefined ? plainTarget(scheme, authority, path) : odbcTarget(authority, path, parameters);
  return { ...target, tls: tlsOf(ssl, parameters.tls ?? target.tls) };
}

type Unsecured = Omit<DatabaseTarget, 'tls'> & { readonly tls?: TlsWish };

function plainTarget({ engine, defaultPort }: Scheme, authority: string, path: string): Unsecured {
  const at = authority.lastIndexOf('@');
  const [account, place] = at < 0 ? ['', authority] : [authority.slice(0, at), authority.slice(at + 1)];
  const colon = account.indexOf(':');
  const user = decoded(colon < 0 ? account : account.slice(0, colon), 'user', MAX_NAME);
  const password = decoded(colon < 0 ? '' : account.slice(colon + 1), 'password', MAX_PASSWORD);
  if (user === '') throw denied('The connection string names no user.');
  const { host, port } = hostAndPort(place, defaultPort);
  const named = databaseOf(path);
  // As PostgreSQL's own tools do.
  const database = named === '' && engine === 'postgres' ? user : named;
  if (database === '') throw denied('The connection string names no database: it ends in /database.');
  return { engine: engine as DatabaseTarget['engine'], host, port, user, password: new Secret(password), database };
}

/** `mssql+pyodbc:///?odbc_connect=…`: the place and the account are in the value, and nowhere else. */
function odbcTarget(authority: string, path: string, { odbc = '' }: Parameters): Unsecured {
  if (authority !== '' || databaseOf(path) !== '') {
    throw denied('With odbc_connect the connection string has no host and no database outside of it.');
  }
  const { server, user, password, database, tls } = readOdbcString(odbc);
  const { host, port } = hostAndPort(server, SQL_SERVER.defaultPort);
  checked(user, 'user', MAX_NAME);
  checked(database, 'database', MAX_NAME);
  checked(password, 'password', MAX_PASSWORD);
  if (user === '' || database === '') throw denied('odbc_connect needs SERVER, DATABASE, UID and PWD.');
  return { engine: 'sqlserver', host, port, user, password: new Secret(password), database, tls };
}

/** Three slashes and a path that is relative to the operator's folder; four are one that is not (SEC-43). */
function sqliteTarget(authority: string, path: string, query: string | undefined): SqliteTarget {
  if (authority !== '' || query !== undefined || path.length < 2) {
    throw denied('An SQLite file is named as sqlite:///file.db, without anything else.');
  }
  return { engine: 'sqlite', path: decoded(path.slice(1), 'path', 1024) };
}

function databaseOf(path: string): string {
  const name = path.slice(1);
  if (name.includes('/')) throw denied('A / in the name of the database is written %2F.');
  return decoded(name, 'database', MAX_NAME);
}

const PLACE = /^(\[[0-9a-f:.]{2,45}\]|[^[\]:]{1,253})(?::(\d{1,5}))?$/i;

/**
 * One host, by name or address, and its port.
 *
 * The host is written as URLs write hosts, whatever the spelling: `0x7f.1`, `2130706433` and full-width digits are
 * `127.0.0.1`. What is checked is then what is connected to.
 */
function hostAndPort(place: string, defaultPort: number): { host: string; port: number } {
  if (place === '') throw denied('The connection string names no host. Sockets in the file system are not used.');
  if (place.includes(',')) throw denied('The connection string names several hosts; one is connected to.');
  if (/%2f|\\/i.test(place)) throw denied('Sockets, pipes and named instances are not used: name a host and a port.');
  const [, written = '', digits] = PLACE.exec(place) ?? [];
  const port = digits === undefined ? defaultPort : Number(digits);
  const url = `http://${written}/`;
  const isHost = /^[\p{L}\p{N}\p{M}._[\]:-]+$/u.test(written) && URL.canParse(url);
  if (!isHost || port < 1 || port > 65_535) {
    throw denied(
      'The connection string has no host and port that can be read: host:port, or [address]:port for IPv6. In user ' +
        'and password the characters / ? # @ : % are percent-encoded: %2F %3F %23 %40 %3A %25.',
    );
  }
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  if (host.endsWith('.')) throw denied('A host name that ends in a dot is not connected to.');
  return { host, port };
}

function decoded(text: string, what: string, maximum: number): string {
  try {
    return checked(decodeURIComponent(text), what, maximum);
  } catch (error) {
    if (error instanceof ConnectionError) throw error;
    throw denied(`The ${what} in the connection string is not percent-encoded right: a % itself is written %25.`);
  }
}

function checked(text: string, what: string, maximum: number): string {
  if (/[\u0000-\u001f\u007f]/.test(text)) throw denied(`The ${what} in the connection string has control characters.`);
  if (text.length > maximum) throw denied(`The ${what} in the connection string has more than ${maximum} characters.`);
  return text;
}

function tlsOf(ssl: boolean, wish: TlsWish | undefined): boolean {
  if (ssl && wish === 'off') throw denied('ssl is true, but the connection string turns TLS off.');
  return ssl || wish === 'on';
}

const denied = (message: string) => ConnectionError.denied(message);
