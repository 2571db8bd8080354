/**
 * The Fastify instance: what it does with a request before Nest has seen it, and what a listener has to bear.
 */
import { newRequestId, OverloadedError, toErrorBody } from '@app/contract';
import type { Config, Logger } from '@app/platform';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Answers } from './answers';
import { callerOf } from './access.guard';
import { cors } from './cors';
import type { BodySize } from './endpoint';
import { hostCheck } from './host-check';
import { HttpError } from './http-error';
import { isStillSending, UnreadBody, type BodyLimit } from './request-body';
import { Routes } from './routes';

type Socket = FastifyRequest['socket'];

/** A caller may take this long to send its headers, and its body (SEC-127). Answers may take as long as they like. */
const HEADERS_MS = 15_000;
const REQUEST_MS = 120_000;
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
  const adapter = new FastifyAdapter({
    genReqId: newRequestId,
    trustProxy: trustProxy.length ? [...trustProxy] : false,
    rewriteUrl: ({ url = '/' }) => withoutPrefix(url, pathPrefix),
    requestTimeout: REQUEST_MS,
    http: { headersTimeout: HEADERS_MS, maxHeaderSize: 32_768 },
    forceCloseConnections: true,
    // Requests are checked by zod, so no route has a schema of Fastify's. Its compilers would be loaded all the same.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    routerOptions: { maxParamLength: 2048 },
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      const refusal = new HttpError(error.statusCode ?? 400, 'invalid_request_error', 'The path is not a valid URL.');
      void reply.status(refusal.status).header('request-id', request.id).send(toErrorBody(refusal, request.id));
    },
    clientErrorHandler: answerBrokenHttp,
  });
  const fastify: FastifyInstance = adapter.getInstance();
  const routes = new Routes(fastify);
  fastify.server.maxHeadersCount = MAX_HEADERS;
  fastify.server.maxConnections = maxConnections;
  // Behind a proxy, all callers share its address.
  if (trustProxy.length === 0)
    shareConnections(fastify, Math.max(1, Math.floor(maxConnections / SHARE_OF_ONE_ADDRESS)));
  leaveBodiesUnread(fastify, config);
  fastify.addHook('onRequest', beforeRouting(config, answers, routes));
  fastify.addHook('onResponse', afterResponse(logger));
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

/** Bodies are read by `SchemaPipe`, after the guard. */
function leaveBodiesUnread(fastify: FastifyInstance, { http }: Config): void {
  const limits: Record<BodySize, BodyLimit> = {
    small: { bytes: 1024 ** 2 },
    messages: { bytes: http.maxMessageBodyBytes, setting: 'MAX_MESSAGE_BODY_MB' },
    ingest: { bytes: http.maxIngestBodyBytes, setting: 'MAX_INGEST_BODY_MB' },
  };
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', (request, _payload, done) => {
    const { body } = (request.routeOptions.config ?? {}) as { body?: BodySize };
    done(null, new UnreadBody(request, limits[body ?? 'small']));
  });
}

function beforeRouting(config: Config, answers: Answers, routes: Routes) {
  const checkHost = hostCheck(config);
  const allowOrigins = cors(config.http.corsOrigins);
  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    reply.header('request-id', request.id).header('x-content-type-options', 'nosniff');
    try {
      if (answers.draining) {
        reply.header('connection', 'close');
        throw new OverloadedError('The server is shutting down.');
      }
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

/** One line for each request; none of its bodies, and no query, which may name anything. */
function afterResponse(logger: Logger) {
  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    const path = request.url.split('?', 1)[0]!;
    const caller = callerOf(request);
    const line = {
      requestId: request.id,
      method: request.method,
      path,
      // As nginx has it: the caller closed the connection before the answer was complete.
      status: reply.raw.writableFinished ? reply.statusCode : 499,
      ms: Math.round(reply.elapsedTime),
      organisation: caller?.organisation,
      key: caller?.keyId,
    };
    if (path.startsWith('/health')) logger.debug(line, 'Request');
    else logger.info(line, 'Request');
    if (isStillSending(request)) setTimeout(() => request.raw.complete || request.raw.destroy(), LINGER_MS).unref();
    done();
  };
}

/** What is not even HTTP, or too slow or too large to become a request, still gets the contract's body. */
function answerBrokenHttp(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [status, reason] = BROKEN[error.code ?? ''] ?? [400, 'Bad Request'];
  const id = newRequestId();
  const body = JSON.stringify(toErrorBody(new HttpError(status, 'invalid_request_error', `${reason}.`), id));
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json; charset=utf-8\r\nrequest-id: ${id}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

const BROKEN: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'],
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
