/**
 * Why a connection to a server that the operator named did not come about, or broke: in words of ours, for the operator.
 * Those of the system and of drivers may name hosts, users and databases (SEC-135).
 */
const NETWORK: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  ETIMEDOUT: 'it does not answer',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the host cannot be reached',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name cannot be looked up',
};
const HTTP: Readonly<Record<string, string>> = {
  UND_ERR_CONNECT_TIMEOUT: 'it does not answer',
  UND_ERR_SOCKET: 'the connection was cut',
};
const NO_TLS = /^(ERR_SSL_|EPROTO$)/;
const NOT_TRUSTED = /CERT|ISSUER|LEAF_SIGNATURE|HOSTNAME_MISMATCH/;

/** Undefined for what is no trouble of the network; another try may help against this. */
export function networkTrouble(error: unknown): string | undefined {
  return firstOf(error, (code) => NETWORK[code]);
}

/** Of a server that is reached by HTTP. */
export function connectionTrouble(error: unknown): string | undefined {
  return firstOf(error, (code) => HTTP[code]) ?? networkTrouble(error) ?? tlsTrouble(error);
}

/** Undefined for what is no trouble of TLS; somebody has to mend this. */
export function tlsTrouble(error: unknown): string | undefined {
  return firstOf(error, (code) => {
    if (NOT_TRUSTED.test(code))
      return 'its certificate is not trusted, or not for this name (NODE_EXTRA_CA_CERTS names more authorities)';
    return NO_TLS.test(code) ? 'it does not speak TLS there' : undefined;
  });
}

/** Of an error, of the first address that was tried where there were several, or of what caused it. */
function firstOf(error: unknown, words: (code: string) => string | undefined): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, errors, cause } = error as { code?: unknown; errors?: unknown[]; cause?: unknown };
  if (errors?.length) return firstOf(errors[0], words);
  return (typeof code === 'string' ? words(code) : undefined) ?? firstOf(cause, words);
}
