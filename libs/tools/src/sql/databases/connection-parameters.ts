/**
 * What may stand after the `?` of a connection string (SEC-40): by an allow-list per engine, of values where they matter.
 *
 * What is taken either says whether TLS is wanted, or asks for nothing that the session does not have anyway.
 */
import { ConnectionError } from './connection-error';
import type { EngineName } from './target';

export type TlsWish = 'on' | 'off';

export interface Parameters {
  readonly tls?: TlsWish;
  /** The value of `odbc_connect`. */
  readonly odbc?: string;
}

/** What a value means; values that are not listed refuse the string. `any`: it means nothing to us. */
type Meaning = TlsWish | 'nothing';
type Values = Readonly<Record<string, Meaning>> | 'any';

const YES_NO: Values = { true: 'on', yes: 'on', '1': 'on', false: 'off', no: 'off', '0': 'off' };
/** What we do in any case. */
const WANTED: Values = { true: 'nothing', yes: 'nothing', '1': 'nothing' };

export const ODBC_ENCRYPT: Values = { ...YES_NO, mandatory: 'on', optional: 'off' };
/** A certificate that nobody has checked is never trusted (SEC-54). */
export const ODBC_TRUST: Values = { no: 'nothing', false: 'nothing', '0': 'nothing' };

const SQL_SERVER: Readonly<Record<string, Values>> = {
  driver: 'any',
  encrypt: ODBC_ENCRYPT,
  trustservercertificate: ODBC_TRUST,
  applicationintent: 'any',
  charset: 'any',
  timeout: 'any',
  'connection timeout': 'any',
  'login timeout': 'any',
};

const ALLOWED: Readonly<Record<Exclude<EngineName, 'sqlite'>, Readonly<Record<string, Values>>>> = {
  postgres: {
    sslmode: {
      disable: 'off',
      allow: 'nothing',
      prefer: 'nothing',
      require: 'on',
      'verify-ca': 'on',
      'verify-full': 'on',
    },
    ssl: YES_NO,
    application_name: 'any',
    connect_timeout: 'any',
    client_encoding: { utf8: 'nothing', 'utf-8': 'nothing' },
    channel_binding: { disable: 'nothing', prefer: 'nothing', require: 'on' },
    gssencmode: { disable: 'nothing', prefer: 'nothing' },
    target_session_attrs: 'any',
  },
  mysql: {
    charset: { utf8: 'nothing', utf8mb4: 'nothing', utf8mb3: 'nothing' },
    connect_timeout: 'any',
    read_timeout: 'any',
    ssl: YES_NO,
    ssl_disabled: { true: 'off', '1': 'off', false: 'on', '0': 'on' },
    'ssl-mode': {
      disabled: 'off',
      preferred: 'nothing',
      required: 'on',
      verify_ca: 'on',
      verify_identity: 'on',
    },
    ssl_verify_cert: WANTED,
    ssl_verify_identity: WANTED,
  },
  sqlserver: SQL_SERVER,
};

/** Names that drivers know, so that a refusal may say them. */
const KNOWN = new Set(
  (
    'host hostaddr port user username password passfile database dbname service servicefile options sslkey sslcert ' +
    'sslrootcert sslcrl sslpassword ssl_ca ssl_cert ssl_key ssl_capath ssl_cipher socket socketpath unix_socket ' +
    'multiplestatements allow_local_infile local_infile init_command read_default_file schema schemas search_path ' +
    'currentschema uid pwd server dsn filedsn autocommit plugin debug flags'
  ).split(' '),
);

/** @throws ConnectionError `connection_denied` for any that is not on the engine's list. */
export function parametersOf(engine: Exclude<EngineName, 'sqlite'>, query: string | undefined): Parameters {
  const allowed = ALLOWED[engine];
  const seen = new Set<string>();
  const wishes = new Set<TlsWish>();
  let odbc: string | undefined;
  for (const [written, value] of new URLSearchParams(query ?? '')) {
    const name = engine === 'sqlserver' ? written.toLowerCase() : written;
    if (seen.has(name)) throw denied('A parameter stands twice in the connection string.');
    seen.add(name);
    if (engine === 'sqlserver' && name === 'odbc_connect') odbc = value;
    else if (!Object.hasOwn(allowed, name)) throw unknown(name, Object.keys(allowed));
    else {
      const meaning = meaningOf(allowed[name]!, value);
      if (meaning === undefined) throw denied(`The connection string has a value of ${name} that is not taken.`);
      if (meaning !== 'nothing') wishes.add(meaning);
    }
  }
  if (odbc !== undefined && seen.size > 1) throw denied('odbc_connect stands alone in the connection string.');
  if (wishes.size > 1) throw denied('The connection string both wants TLS and turns it off.');
  const [tls] = wishes;
  return { ...(tls && { tls }), ...(odbc !== undefined && { odbc }) };
}

/** @returns undefined for a value that is not on the list. */
export function meaningOf(values: Values, value: string): Meaning | undefined {
  if (values === 'any') return 'nothing';
  const key = value.toLowerCase();
  return Object.hasOwn(values, key) ? values[key] : undefined;
}

function unknown(name: string, allowed: readonly string[]): ConnectionError {
  const which = KNOWN.has(name.toLowerCase()) ? `the parameter ${name.toLowerCase()}` : 'a parameter';
  return denied(`The connection string has ${which} that is not taken. Parameters are ${allowed.join(', ')}.`);
}

const denied = (message: string) => ConnectionError.denied(message);
