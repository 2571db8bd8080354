/**
 * Whether a request is meant for this server (SEC-115).
 *
 * A web page may point a name of its own at 127.0.0.1 and then talk to a local server from the browser; what it
 * cannot do is change the `Host` header, which holds that name.
 */
import { isLoopback, type Config } from '@app/platform';
import type { FastifyRequest } from 'fastify';
import { HttpError } from './http-error';

const MAX_KNOWN = 64;

/** @returns a function that throws HttpError 421 for a request to another host. */
export function hostCheck({ profile, http }: Config): (request: FastifyRequest) => void {
  const names = new Set(http.hosts.map((host) => bare(host.toLowerCase())));
  if (http.host !== '0.0.0.0' && http.host !== '::') names.add(http.host.toLowerCase());
  const way = profile === 'local' ? 'Call it by localhost or 127.0.0.1' : 'Add the name to SERVER_HOSTS';
  // Clients send the same few names again and again; what else may stand in the header is not remembered.
  const known = new Set<string>();
  return (request) => {
    const { host: header = '' } = request.headers;
    if (known.has(header)) return;
    const host = bare(header.toLowerCase());
    if (isLoopback(host) || names.has(host)) {
      if (known.size < MAX_KNOWN) known.add(header);
      return;
    }
    if (host === ownAddress(request)) return;
    throw new HttpError(
      421,
      'invalid_request_error',
      `This server does not answer to the host it was called by. ${way}.`,
    );
  };
}

/** Without the port, and without the brackets of IPv6. */
function bare(host: string): string {
  const bracketed = /^\[([^\]]*)\](:\d+)?$/.exec(host);
  return bracketed ? bracketed[1]! : host.replace(/:\d+$/, '');
}

/** The address at which the connection came in; IPv4 inside IPv6 as plain IPv4. */
const ownAddress = (request: FastifyRequest) => request.socket.localAddress?.replace(/^::ffff:/, '');
