import { networkTrouble, tlsTrouble } from '../connection-trouble';

const DOWN: Record<string, string> = {
  '08000': 'the connection failed',
  '08001': 'the connection failed',
  '08003': 'the connection failed',
  '08006': 'the connection failed',
  '53300': 'it has no connection left',
  '57P01': 'it is shutting down',
  '57P02': 'it has crashed',
  '57P03': 'it is starting or stopping',
};
const REFUSALS: Record<string, string> = {
  '25006': 'it can only be read (a standby, or default_transaction_read_only)',
  '28000': 'it refuses the user, or a connection without TLS (sslmode=require)',
  '28P01': 'it refuses the user or the password',
  '3D000': 'it has no database of that name',
  '42501': 'the user may not do what the migrations need',
  '42P07': 'it has tables of the same names already; give this server a database of its own',
  '53200': 'it is out of memory',
};
/** Some failures of the driver have no code. */
const DOWN_WORDS =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Query read timeout|timeout expired)/;
const REFUSAL_WORDS: readonly (readonly [RegExp, string])[] = [
  [/does not support SSL/, 'it does not speak TLS, which sslmode asks for'],
  [/client password must be a/, 'it wants a password, and there is none in the URL'],
  [/SASL|authentication/, 'the login failed'],
];

/** Whether a query failed because the database could not be reached: it was not run, or nobody knows; ask again. */
export function isDatabaseDown(error: unknown): boolean {
  return downFor(error) !== undefined;
}

/** What is wrong, in words of ours. Those of the driver may name the user, the host and the database (SEC-135). */
export function reasonOf(error: unknown): string | undefined {
  return downFor(error) ?? tlsTrouble(error) ?? refusal(error);
}

function downFor(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, syscall, message, errors } = error as Partial<NodeJS.ErrnoException> & { errors?: unknown[] };
  // Several addresses were tried, each with its own failure.
  if (errors?.length) return downFor(errors[0]);
  // The socket of the embedded server is missing while that is being started.
  if (code === 'ENOENT' && syscall === 'connect') return 'nothing listens there';
  const known = code === undefined ? undefined : (DOWN[code] ?? networkTrouble({ code }));
  if (known !== undefined || !DOWN_WORDS.test(message ?? '')) return known;
  return /timeout/.test(message ?? '') ? 'it does not answer' : 'the connection was lost';
}

function refusal(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, syscall, message } = error as Partial<NodeJS.ErrnoException>;
  if (syscall === 'open') return 'a file that the URL names (sslrootcert, sslcert or sslkey) cannot be read';
  return REFUSALS[code ?? ''] ?? REFUSAL_WORDS.find(([words]) => words.test(message ?? ''))?.[1];
}
