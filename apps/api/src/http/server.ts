/**
 * The Fastify instance: what it does with a request before Nest has seen it, and what a listener has to bear.
 */
import { newRequestId, OverloadedError, toErrorBody, type ErrorType } from '@app/contract';
import type { Config, Logger } from '@app/platform';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { join } from 'node:path';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { noticeAbsentCallers } from './absent-callers';
import type { Answers } from './answers';
import { BodyBudget } from './body-budget';
import { cors } from './cors';
import type { BodySize } from './endpoint';
import { hostCheck } from './host-check';
import { HttpError } from './http-error';
import { isStillSending, UnreadBody, type BodyLimit } from './request-body';
import { RequestLog } from './request-log';
import { Routes } from './routes';

type Socket = FastifyRequest['socket'];

/** A caller may take this long to send its headers, and its body (SEC-127). Answers may take as long as they like. */
const HEADERS_MS = 15_000;
const REQUEST_MS = 120_000;
/** How late such a caller may be found out. */
const CHECKED_EVERY_MS = 5000;
const MAX_HEADERS = 100;
/** Of all connections, the part that one foreign address may hold. */
const SHARE_OF_ONE_ADDRESS = 16;
/** A caller that was refused in the middle of a body may go on sending for so long, to get to read why. */
const LINGER_MS = 5000;

export interface Server {
  readonly adapter: FastifyAdapter;
  readonly routes: Routes;
}

export interface ServerOptions {
  readonly config: Config;
  readonly logger: Logger;
  readonly answers: Answers;
}

export function createServer({ config, logger, answers }: ServerOptions): Server {
  const { trustProxy, pathPrefix, maxConnections } = config.http;
  const log = new RequestLog(logger);
  const adapter = new FastifyAdapter({
    genReqId: newRequestId,
    trustProxy: trustProxy.length ? [...trustProxy] : false,
    rewriteUrl: ({ url = '/' }) => withoutSlash(withoutPrefix(url, pathPrefix)),
    requestTimeout: REQUEST_MS,
    http: { headersTimeout: HEADERS_MS, maxHeaderSize: 32_768, connectionsCheckingInterval: CHECKED_EVERY_MS },
    forceCloseConnections: true,
    // Requests are checked by zod, so no route has a schema of Fastify's. Its compilers would be loaded all the same.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    routerOptions: { maxParamLength: 2048 },
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      log.follow(request, reply);
      const refusal = new HttpError(error.statusCode ?? 400, 'invalid_request_error', 'The path is not a valid URL.');
      void reply.status(refusal.status).header('request-id', request.id).send(toErrorBody(refusal, request.id));
    },
    clientErrorHandler: answerBrokenHttp(log),
  });
  const fastify: FastifyInstance = adapter.getInstance();
  const routes = new Routes(fastify);
  fastify.server.maxHeadersCount = MAX_HEADERS;
  fastify.server.maxConnections = maxConnections;
  noticeAbsentCallers(fastify.server, config.http.stalledReaderMs);
  // Behind a proxy, all callers share its address.
  if (trustProxy.length === 0)
    shareConnections(fastify, Math.max(1, Math.floor(maxConnections / SHARE_OF_ONE_ADDRESS)));
  leaveBodiesUnread(fastify, config);
  fastify.addHook('onRequest', beforeRouting(config, answers, routes, log));
  fastify.addHook('onResponse', afterResponse);
  return { adapter, routes };
}

function noSchemas(): never {
  throw new Error('A route has a Fastify schema; this server knows only zod schemas');
}

/** The API as if it had no prefix: every path is served with and without it. */
export function withoutPrefix(url: string, prefix: string): string {
  if (!url.startsWith(prefix)) return url;
  const rest = url.slice(prefix.length);
  if (rest === '') return '/';
  return rest.startsWith('/') ? rest : rest.startsWith('?') ? `/${rest}` : url;
}

/** A path with one slash too many at its end means the one without. The links of the pages in `/docs` need theirs. */
function withoutSlash(url: string): string {
  if (!url.endsWith('/') && !url.includes('/?')) return url;
  return url.replace(/^(?!\/docs\/)(\/[^?]*[^?/])\/(?=\?|$)/, '$1');
}

/** Bodies are read by `SchemaPipe`, after the guard. */
function leaveBodiesUnread(fastify: FastifyInstance, { http, dataDir }: Config): void {
  const limits: Record<BodySize, BodyLimit> = {
    small: { bytes: 1024 ** 2 },
    messages: { bytes: http.maxMessageBodyBytes, setting: 'MAX_MESSAGE_BODY_MB' },
    ingest: { bytes: http.maxIngestBodyBytes, setting: 'MAX_INGEST_BODY_MB', kept: true },
  };
  const budget = new BodyBudget(http.maxBodiesBytes);
  const folder = join(dataDir, 'bodies');
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', (request, _payload, done) => {
    const { body } = (request.routeOptions.config ?? {}) as { body?: BodySize };
    done(null, new UnreadBody(request, limits[body ?? 'small'], budget, folder));
  });
}

function beforeRouting(config: Config, answers: Answers, routes: Routes, log: RequestLog) {
  const checkHost = hostCheck(config);
  const allowOrigins = cors(config.http.corsOrigins);
  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    log.follow(request, reply);
    // Fastify's hook after the response does not run for a caller that has left.
    reply.raw.once('close', () => request.body instanceof UnreadBody && request.body.end());
    reply.header('request-id', request.id).header('x-content-type-options', 'nosniff');
    try {
      if (answers.draining) {
        reply.header('connection', 'close');
        throw new OverloadedError('The server is shutting down.');
      }
      answers.follow(reply.raw);
      checkHost(request);
      allowOrigins(request, reply);
    } catch (error) {
      return done(error as Error);
    }
    if (request.method !== 'OPTIONS') return done();
    const allow = [...routes.allowed(request.url.split('?', 1)[0]!), 'OPTIONS'].join(', ');
    void reply.status(204).header('allow', allow).send();
  };
}

/** Closing at once on a caller that is still sending would take the answer from it. */
function afterResponse(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  if (isStillSending(request)) setTimeout(() => request.raw.complete || request.raw.destroy(), LINGER_MS).unref();
  done();
}

/** What is not even HTTP, or too slow or too large to become a request, still gets the contract's body. */
function answerBrokenHttp(log: RequestLog) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const [status, reason, type] = BROKEN[error.code ?? ''] ?? [400, 'Bad Request', 'invalid_request_error'];
    const id = newRequestId();
    log.broken(socket, { requestId: id, status });
    const body = JSON.stringify(toErrorBody(new HttpError(status, type, `${reason}.`), id));
    socket.end(
      `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json; charset=utf-8\r\nrequest-id: ${id}\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    );
  };
}

const BROKEN: Readonly<Record<string, readonly [number, string, ErrorType]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'invalid_request_error'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'timeout_error'],
};

/** One foreign address cannot take all the connections there are; this machine may (SEC-127). */
function shareConnections(fastify: FastifyInstance, most: number): void {
  const open = new Map<string, number>();
  fastify.server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress?.replace(/^::ffff:/, '') ?? '';
    if (address === '::1' || address.startsWith('127.')) return;
    const mine = open.get(address) ?? 0;
    if (mine >= most) return void socket.destroy();
    open.set(address, mine + 1);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
  });
}
