/** The value of `odbc_connect`: `DRIVER={ODBC Driver 18 for SQL Server};SERVER=host,1433;DATABASE=…;UID=…;PWD={…}`. */
import { ConnectionError } from './connection-error';
import { meaningOf, ODBC_ENCRYPT, ODBC_TRUST, type TlsWish } from './connection-parameters';

export interface OdbcString {
  /** `host` or `host:port`. */
  readonly server: string;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly tls?: TlsWish;
}

/** Other names of the same thing. */
const NAMES: Readonly<Record<string, string>> = {
  address: 'server',
  addr: 'server',
  'network address': 'server',
  user: 'uid',
  'user id': 'uid',
  password: 'pwd',
};
const IGNORED = new Set([
  'driver',
  'app',
  'applicationintent',
  'connection timeout',
  'connect timeout',
  'login timeout',
  'timeout',
]);
const READ = new Set(['server', 'uid', 'pwd', 'database', 'encrypt', 'trustservercertificate']);

/** A value in braces may hold anything, with `}` doubled. */
const PAIR = /\s*([a-z ]{1,40}?)\s*=\s*(?:\{((?:[^}]|\}\})*)\}|([^;{}]*))\s*(?:;|$)/giy;

/** @throws ConnectionError `connection_denied`, without a word of the string. */
export function readOdbcString(text: string): OdbcString {
  const found = new Map<string, string>();
  PAIR.lastIndex = 0;
  while (PAIR.lastIndex < text.length) {
    if (/^[\s;]*$/.test(text.slice(PAIR.lastIndex))) break;
    const pair = PAIR.exec(text);
    if (!pair) throw denied('odbc_connect cannot be read: it is NAME=value;NAME={value}, with } doubled inside of {}.');
    const [, written = '', braced, plain = ''] = pair;
    const name = NAMES[written.toLowerCase()] ?? written.toLowerCase();
    if (!READ.has(name) && !IGNORED.has(name)) {
      throw denied(`odbc_connect has a keyword that is not taken. Keywords are ${[...READ, ...IGNORED].join(', ')}.`);
    }
    if (found.has(name)) throw denied('A keyword stands twice in odbc_connect.');
    found.set(name, braced === undefined ? plain.trim() : braced.replaceAll('}}', '}'));
  }
  const value = (name: string) => found.get(name) ?? '';
  const tls = found.has('encrypt') ? meaningOf(ODBC_ENCRYPT, value('encrypt')) : undefined;
  if (found.has('encrypt') && tls === undefined) throw denied('odbc_connect has a value of encrypt that is not taken.');
  if (found.has('trustservercertificate') && meaningOf(ODBC_TRUST, value('trustservercertificate')) === undefined) {
    throw denied('odbc_connect has a value of trustservercertificate that is not taken: certificates are checked.');
  }
  return {
    server: value('server')
      .replace(/^tcp:/i, '')
      .replace(/\s*,\s*(\d+)$/, ':$1'),
    user: value('uid'),
    password: value('pwd'),
    database: value('database'),
    ...(tls && tls !== 'nothing' && { tls }),
  };
}

const denied = (message: string) => ConnectionError.denied(message);
