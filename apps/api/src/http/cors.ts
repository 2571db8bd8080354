/** Lets the pages of the configured origins call the API from a browser; nobody else's (SEC-113). */
import type { FastifyReply, FastifyRequest } from 'fastify';

const ALLOWED_HEADERS =
  'content-type, authorization, x-api-key, x-org, anthropic-version, anthropic-beta, ' +
  'anthropic-dangerous-direct-browser-access';
const EXPOSED_HEADERS = 'request-id, retry-after';

/** @param origins exactly as browsers send them: `https://app.example`. Empty: no page at all. */
export function cors(origins: readonly string[]): (request: FastifyRequest, reply: FastifyReply) => void {
  const allowed = new Set(origins);
  return (request, reply) => {
    if (allowed.size === 0) return;
    reply.header('vary', 'origin');
    const { origin } = request.headers;
    if (origin === undefined || !allowed.has(origin)) return;
    reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', EXPOSED_HEADERS);
    if (request.method !== 'OPTIONS') return;
    reply
      .header('access-control-allow-methods', 'GET, POST, DELETE, OPTIONS')
      .header('access-control-allow-headers', allowHeaders(request))
      .header('access-control-max-age', '600');
  };
}

/** The headers that clients of this API are known to send; SDKs add their own `x-stainless-…`. */
function allowHeaders(request: FastifyRequest): string {
  const asked = String(request.headers['access-control-request-headers'] ?? '').toLowerCase();
  const stainless = asked
    .split(',')
    .map((name) => name.trim())
    .filter((name) => /^x-stainless-[a-z-]+$/.test(name));
  return [ALLOWED_HEADERS, ...stainless].join(', ');
}
