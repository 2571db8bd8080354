/**
 * Why a database was not reached. To callers there are two kinds, each in one text (SEC-55): which of the many reasons
 * it was would tell them about a network that is not theirs. `detail` is for the operator's log, without secrets.
 */
export class ConnectionError extends Error {
  constructor(
    /** `connection_denied`: not allowed, nothing was opened. `connection_failed`: tried in vain. */
    readonly token: 'connection_denied' | 'connection_failed',
    message: string,
    readonly detail?: string,
  ) {
    super(message);
  }

  /** `message` says what the rule is and how it can be kept, and nothing of the connection string. */
  static denied(message: string, detail?: string): ConnectionError {
    return new ConnectionError('connection_denied', message, detail);
  }

  /** For refused, unreachable, unknown names, bad passwords and bad TLS alike. */
  static failed(detail: string): ConnectionError {
    return new ConnectionError(
      'connection_failed',
      'The database could not be connected to. Check its address, user, password and TLS; the server log says more.',
      detail,
    );
  }
}
