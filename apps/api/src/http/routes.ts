/** What to tell a caller whose path or method does not exist. */
import { NotFoundError, type PlatformError } from '@app/contract';
import type { FastifyInstance } from 'fastify';
import { HttpError } from './http-error';

/** Knows every route of the instance, once it is made before they are added. */
export class Routes {
  private readonly methods = new Map<string, Set<string>>();

  constructor(fastify: FastifyInstance) {
    fastify.addHook('onRoute', ({ url, method }) => {
      const known = this.methods.get(url) ?? new Set<string>();
      for (const one of Array.isArray(method) ? method : [method]) known.add(one);
      this.methods.set(url, known);
    });
  }

  /** @param path without its query. */
  refusal(method: string, path: string): PlatformError {
    const allowed = this.allowed(path);
    if (allowed.length) {
      const allow = allowed.join(', ');
      const text = `${method} is not allowed on this path; use ${allow}.`;
      return new HttpError(405, 'invalid_request_error', text, { headers: { allow } });
    }
    return new NotFoundError(`There is no such path.${advice(path)}`);
  }

  /** The methods that the path has, in alphabetical order; none where it does not exist. */
  allowed(path: string): string[] {
    const segments = path.split('/');
    const fits = (pattern: string) => {
      const parts = pattern.split('/');
      return (
        parts.length === segments.length &&
        parts.every((part, at) => (part.startsWith(':') && segments[at] !== '') || part === segments[at])
      );
    };
    return [...this.methods].flatMap(([pattern, methods]) => (fits(pattern) ? [...methods] : [])).sort();
  }
}

/** Mixed-up base URLs are the most frequent mistake when a client is set up (anthropic-compat §1.10). */
function advice(path: string): string {
  if (path.startsWith('/v1/v1/')) {
    return ' The path has /v1 twice: this client adds /v1 itself, so give it the root of the server as base URL.';
  }
  if (/^\/(messages|models|artifacts|embeddings|primitives|tools)(\/|$)/.test(path)) {
    return ' The API lives under /v1: this client needs a base URL that ends in /v1.';
  }
  if (path.endsWith('/chat/completions') || path === '/v1/responses') {
    return ' This server speaks the Messages API: POST /v1/messages.';
  }
  return ' GET /openapi.json lists all of them.';
}
