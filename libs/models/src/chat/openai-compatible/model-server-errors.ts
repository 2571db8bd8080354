/**
 * What goes wrong with a model server, as errors that a caller can act on.
 *
 * The address and the key are the operator's: a caller reads only the names of the settings. What a server says about
 * a request that it refuses before it answers is passed on as far as `forCallers` lets it. Whatever else it says is
 * only looked through for a prompt that does not fit, and the log gets nothing of it but the status.
 */
import {
  ConflictError,
  InvalidRequestError,
  NotFoundError,
  OverloadedError,
  PlatformError,
  TimeoutError,
} from '@app/contract';
import { contextOverflow } from './context-overflow';
import { forCallers } from './foreign-words';

/** Of what is looked through. */
const MAX_WORDS = 2000;
const RETRY_AFTER_SECONDS = 5;

/** A request that failed, to tell about it in words. */
export interface FailedRequest {
  /** The id of the model as the server lists it. */
  readonly model: string;
  /** An estimate, for servers that do not say how long the prompt was. */
  readonly promptTokens: number;
  readonly contextTokens: number;
}

/** A model server took offence at the request. The message is for the caller; the log has a sentence without it. */
export class RefusedRequestError extends InvalidRequestError {
  readonly loggedAs: string;

  constructor(status: number, words: string, code?: string) {
    super(`The model server refused the request: ${words || `status ${status}`}`, { code });
    this.loggedAs = `The model server refused the request with status ${status}`;
  }
}

/** The error of an HTTP status that is not 200. */
export function refusal(
  status: number,
  body: unknown,
  request: FailedRequest,
  retryAfter: number = RETRY_AFTER_SECONDS,
): PlatformError {
  const words = errorWords(body);
  if (status === 401 || status === 403) {
    return new PlatformError(
      'api_error',
      'The model server refused our credentials: the operator has to check OPENAI_API_KEY.',
      { cause: answeredWith(status) },
    );
  }
  if (status === 408 || status === 504) {
    return new TimeoutError('The model server ran out of time before it answered.', { cause: answeredWith(status) });
  }
  if (status === 409) {
    return new ConflictError('The model server is at something that does not go with this request; try again.', {
      cause: answeredWith(status),
    });
  }
  if (status === 425 || status === 429 || status === 503 || status === 529) {
    return new OverloadedError('The model server is too busy; try again in a moment.', {
      cause: answeredWith(status),
      retryAfter,
    });
  }
  if (status === 404 || status === 405) {
    if (/model/i.test(words)) {
      return new NotFoundError(
        `The model server does not have the model '${request.model}': ask for one that GET /v1/models lists, or set MODEL.`,
        { cause: answeredWith(status) },
      );
    }
    return new PlatformError(
      'api_error',
      'The model server has no /chat/completions where OPENAI_BASE_URL points; the address usually ends in /v1.',
      { cause: answeredWith(status) },
    );
  }
  const overflow = contextOverflow(words, body, request);
  if (overflow) return new InvalidRequestError(overflow, { cause: answeredWith(status) });
  if (status >= 400 && status < 500) return new RefusedRequestError(status, forCallers(words), codeOf(words));
  return new PlatformError('api_error', `The model server failed with status ${status}.`);
}

/** The error of an `error` object in an answer whose status was 200. */
export function reportedError(body: unknown, request: FailedRequest): PlatformError {
  const status = statusIn(body);
  const error = refusal(status ?? 500, body, request);
  if (status !== undefined && !(error instanceof RefusedRequestError)) return error;
  if (status === undefined && error instanceof InvalidRequestError) return error;
  return status === undefined
    ? new PlatformError('api_error', 'The model server reported an error in its answer.')
    : new InvalidRequestError(`The model server refused the request in its answer, with status ${status}.`);
}

/** Ollama (`… does not support tools`), and vLLM where it was started without a parser for calls. */
const codeOf = (words: string): string | undefined =>
  /not support (?:tools?|function|tool use)|--enable-auto-tool-choice/i.test(words)
    ? 'INVALID_REQUEST_TOOL_SUPPORTED_ERROR'
    : undefined;

const answeredWith = (status: number) => new Error(`The model server answered with status ${status}`);

export const cutInTheMiddle = (cause?: unknown) =>
  new PlatformError('api_error', 'The model server stopped in the middle of its answer.', { cause });

export const garbage = (what: string, cause?: unknown) =>
  new PlatformError('api_error', `The model server answered with ${what} instead of a chat completion.`, { cause });

/** What a connection that could not be made, or broke before the status came, is told as. */
export function unreachable(cause: unknown): PlatformError {
  if (isUnaskedInformation(cause)) {
    return new PlatformError(
      'api_error',
      'The model server, or a proxy before it, began its answer with "100 Continue" or "101 Switching Protocols", which ' +
        'it was not asked for, and nothing can be read after that: the operator has to turn that off there.',
      { cause },
    );
  }
  if (errorCode(cause) === 'UND_ERR_HEADERS_TIMEOUT') {
    return new TimeoutError('The model server did not begin to answer in time (MODEL_IDLE_SECONDS).', { cause });
  }
  return new OverloadedError(
    'The model server cannot be reached: the operator has to check that it runs where OPENAI_BASE_URL points.',
    { cause, retryAfter: RETRY_AFTER_SECONDS },
  );
}

/**
 * undici hangs up on these, and only its words tell them from a connection that was lost. The request was served, so
 * another try would only have it served again.
 */
export function isUnaskedInformation(error: unknown): boolean {
  return errorCode(error) === 'UND_ERR_SOCKET' && /^bad (response|upgrade)$/.test((error as Error).message);
}

/** An answer that broke after its beginning. */
export function broken(cause: unknown): PlatformError {
  if (errorCode(cause) !== 'UND_ERR_BODY_TIMEOUT') return cutInTheMiddle(cause);
  return new TimeoutError(
    'The model server stopped in the middle of its answer: nothing came for too long (MODEL_IDLE_SECONDS).',
    { cause },
  );
}

/** The `code` of a failed connection, also of one that failed at each of several addresses. */
export function errorCode(error: unknown): string | undefined {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  if (typeof code === 'string') return code;
  return cause === undefined ? undefined : errorCode(cause);
}

/** OpenAI's `error.message`, and what others make of it: `error` as a string, `message` or `detail` alone. */
function errorWords(body: unknown): string {
  if (typeof body === 'string') return cut(body);
  const { error, message, detail } = (body ?? {}) as Record<string, unknown>;
  if (error !== undefined && error !== null) return errorWords(error);
  if (typeof message === 'string') return cut(message);
  return typeof detail === 'string' ? cut(detail) : fieldErrors(detail);
}

/** The list of FastAPI, field by field. Its `input` is the request itself and is left out. */
function fieldErrors(detail: unknown): string {
  const entries = (Array.isArray(detail) ? detail : []) as ({ loc?: unknown; msg?: unknown } | null)[];
  const told = entries.flatMap((entry) =>
    typeof entry?.msg === 'string' ? [`${Array.isArray(entry.loc) ? `${entry.loc.join('.')}: ` : ''}${entry.msg}`] : [],
  );
  return cut(told.join('; '));
}

/** A status among the fields of an error object: `code: 400`, `code: "429"` or `status: 503`. */
function statusIn(body: unknown): number | undefined {
  const { error } = (body ?? {}) as { error?: unknown };
  const { code, status } = (typeof error === 'object' && error !== null ? error : (body ?? {})) as Record<
    string,
    unknown
  >;
  return [code, status].map(Number).find((number) => Number.isInteger(number) && number >= 400 && number < 600);
}

const cut = (words: string) => words.slice(0, MAX_WORDS);
