const CONNECTION_CODES: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  ETIMEDOUT: 'it does not answer',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the host cannot be reached',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name cannot be looked up',
  '08000': 'the connection failed',
  '08001': 'the connection failed',
  '08003': 'the connection failed',
  '08006': 'the connection failed',
  '53300': 'it has no connection left',
  '57P01': 'it is shutting down',
  '57P02': 'it has crashed',
  '57P03': 'it is starting or stopping',
};
const REFUSAL_CODES: Record<string, string> = {
  '28000': 'it refuses the user',
  '28P01': 'it refuses the user or the password',
  '3D000': 'it has no database of that name',
  '42501': 'the user may not do what the migrations need',
};
/** Some failures of the driver have no code. */
const CONNECTION_WORDS =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Query read timeout|timeout expired)/;

/** Whether a query failed because the database could not be reached: it was not run, or nobody knows; ask again. */
export function isDatabaseDown(error: unknown): boolean {
  return connectionTrouble(error) !== undefined;
}

/** What is wrong, in words of ours. Those of the driver may name the user, the host and the database (SEC-135). */
export function reasonOf(error: unknown): string | undefined {
  return connectionTrouble(error) ?? REFUSAL_CODES[codeOf(error) ?? ''];
}

function connectionTrouble(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, syscall, message, errors } = error as Partial<NodeJS.ErrnoException> & { errors?: unknown[] };
  // Several addresses were tried, each with its own failure.
  if (errors?.length) return connectionTrouble(errors[0]);
  // The socket of the embedded server is missing while that is being started.
  if (code === 'ENOENT') return syscall === 'connect' ? CONNECTION_CODES.ECONNREFUSED : undefined;
  if (code !== undefined && code in CONNECTION_CODES) return CONNECTION_CODES[code];
  if (!CONNECTION_WORDS.test(message ?? '')) return undefined;
  return /timeout/.test(message ?? '') ? CONNECTION_CODES.ETIMEDOUT : 'the connection was lost';
}

function codeOf(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : undefined;
}
