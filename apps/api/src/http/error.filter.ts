/** The one place where an error becomes HTTP: its status, its headers and the contract's body. */
import { InvalidRequestError, PlatformError, toErrorBody, type ErrorType } from '@app/contract';
import { ModelNotFoundError } from '@app/models';
import { foreseen, LOGGER, type Logger } from '@app/platform';
import {
  Catch,
  HttpException,
  Inject,
  NotFoundException,
  type ArgumentsHost,
  type ExceptionFilter,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { dialectOf } from './dialect';
import { HttpError } from './http-error';
import { isStillSending } from './request-body';
import { Routes } from './routes';

/** `Record` makes a new error type a compile error here until somebody has chosen its status. */
const STATUS: Record<ErrorType, number> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  timeout_error: 504,
  conflict_error: 409,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  overloaded_error: 529,
};

/** Seconds to wait, where the error does not say: SDKs retry these by themselves and want a number. */
const RETRY_AFTER: Partial<Record<ErrorType, number>> = { rate_limit_error: 5, overloaded_error: 2 };

@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly routes: Routes,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    // Whoever hung up gets no answer, and what his leaving threw is no failure of ours.
    if (reply.sent || reply.raw.headersSent || reply.raw.destroyed) return;

    const known = foreseen(thrown);
    const error = this.inOurWords(known, request);
    if (error.type === 'api_error') this.logger.error({ err: thrown, requestId: request.id }, 'A request failed');
    else if (known !== thrown) this.logger.warn({ err: thrown, requestId: request.id }, error.message);
    // Closing on a caller that is still sending its body would destroy the answer on its way; see LINGER_MS.
    if (isStillSending(request)) reply.raw.shouldKeepAlive = true;
    void reply
      .status(error instanceof HttpError ? error.status : STATUS[error.type])
      .headers(headersOf(error))
      .send(toErrorBody(error, request.id));
  }

  private inOurWords(thrown: unknown, request: FastifyRequest): PlatformError {
    if (thrown instanceof ModelNotFoundError && request.method === 'POST' && dialectOf(request) === 'native') {
      return new InvalidRequestError(thrown.explanation);
    }
    if (thrown instanceof PlatformError) return thrown;
    if (thrown instanceof NotFoundException) return this.routes.refusal(request.method, pathOf(request));
    if (thrown instanceof HttpException && thrown.getStatus() < 500) {
      return new HttpError(thrown.getStatus(), typeOf(thrown.getStatus()), thrown.message, { cause: thrown });
    }
    // Our own fault does not go away by asking again; the SDKs would, twice.
    return new HttpError(500, 'api_error', 'Internal error', { cause: thrown, headers: { 'x-should-retry': 'false' } });
  }
}

/** The type of a refusal that is not ours but Nest's or Fastify's. */
function typeOf(status: number): ErrorType {
  if (status === 408) return 'timeout_error';
  const known = Object.entries(STATUS).find(([, usual]) => usual === status);
  return (known?.[0] as ErrorType | undefined) ?? 'invalid_request_error';
}

function headersOf(error: PlatformError): Record<string, string> {
  const retryAfter = error.retryAfter ?? RETRY_AFTER[error.type];
  return {
    ...(error.type === 'authentication_error' && { 'www-authenticate': 'Bearer' }),
    ...(retryAfter !== undefined && { 'retry-after': String(Math.ceil(retryAfter)) }),
    ...(error instanceof HttpError && error.headers),
  };
}

/** The path of a request as it was routed, without its query. */
export const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0]!;
