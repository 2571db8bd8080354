/**
 * What goes wrong with a model server, as errors that a caller can act on.
 *
 * The address and the key are the operator's: a caller reads only the names of the settings. What a server says about
 * a request that it refuses is passed on, cut; what it says when it fails itself stays in the cause, for the log.
 */
import { InvalidRequestError, NotFoundError, OverloadedError, PlatformError } from '@app/contract';
import { contextOverflow } from './context-overflow';

const MAX_WORDS = 500;
const RETRY_AFTER_SECONDS = 5;

/** A request that failed, to tell about it in words. */
export interface FailedRequest {
  /** The id of the model as the server lists it. */
  readonly model: string;
  /** An estimate, for servers that do not say how long the prompt was. */
  readonly promptTokens: number;
  readonly contextTokens: number;
}

/** The error of an HTTP status that is not 200, or of an `error` object with a status as its code. */
export function refusal(
  status: number,
  body: unknown,
  request: FailedRequest,
  retryAfter: number = RETRY_AFTER_SECONDS,
): PlatformError {
  const words = errorWords(body);
  const cause = new Error(`The model server answered with status ${status}: ${words || 'no words'}`);
  if (status === 401 || status === 403) {
    return new PlatformError(
      'api_error',
      'The model server refused our credentials: the operator has to check OPENAI_API_KEY.',
      { cause },
    );
  }
  if (status === 408 || status === 425 || status === 429 || status === 503 || status === 529) {
    return new OverloadedError('The model server is too busy; try again in a moment.', { cause, retryAfter });
  }
  if (status === 404 || status === 405) {
    if (/model/i.test(words)) {
      return new NotFoundError(
        `The model server does not have the model '${request.model}': ask for one that GET /v1/models lists, or set MODEL.`,
        { cause },
      );
    }
    return new PlatformError(
      'api_error',
      'The model server has no /chat/completions where OPENAI_BASE_URL points; the address usually ends in /v1.',
      { cause },
    );
  }
  if (status >= 400 && status < 500) {
    const overflow = contextOverflow(words, body, request);
    return new InvalidRequestError(overflow ?? `The model server refused the request: ${words || `status ${status}`}`, {
      cause,
    });
  }
  return new PlatformError('api_error', `The model server failed with status ${status}.`, { cause });
}

/** The error of an `error` object in the middle of an answer whose status was 200. */
export function reportedError(body: unknown, request: FailedRequest): PlatformError {
  const code = statusIn(body);
  if (code !== undefined) return refusal(code, body, request);
  const words = errorWords(body);
  const overflow = contextOverflow(words, body, request);
  if (overflow) return new InvalidRequestError(overflow);
  return new PlatformError('api_error', `The model server reported an error: ${words || 'without a word about it'}`);
}

export const cutInTheMiddle = (cause?: unknown) =>
  new PlatformError('api_error', 'The model server stopped in the middle of its answer.', { cause });

export const garbage = (what: string, cause?: unknown) =>
  new PlatformError('api_error', `The model server answered with ${what} instead of a chat completion.`, { cause });

/** What a connection that could not be made, or broke before the status came, is told as. */
export function unreachable(cause: unknown): OverloadedError {
  if (errorCode(cause) === 'UND_ERR_HEADERS_TIMEOUT') {
    return new OverloadedError('The model server did not begin to answer in time (MODEL_IDLE_SECONDS).', { cause });
  }
  return new OverloadedError(
    'The model server cannot be reached: the operator has to check that it runs where OPENAI_BASE_URL points.',
    { cause, retryAfter: RETRY_AFTER_SECONDS },
  );
}

/** An answer that broke after its beginning. */
export function broken(cause: unknown): PlatformError {
  if (errorCode(cause) !== 'UND_ERR_BODY_TIMEOUT') return cutInTheMiddle(cause);
  return new PlatformError(
    'api_error',
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
export function errorWords(body: unknown): string {
  if (typeof body === 'string') return cut(body);
  const { error, message, detail } = (body ?? {}) as Record<string, unknown>;
  if (error !== undefined && error !== null) return errorWords(error);
  if (typeof message === 'string') return cut(message);
  return detail === undefined ? '' : cut(typeof detail === 'string' ? detail : JSON.stringify(detail));
}

/** A status among the fields of an error object: `code: 400`, `code: "429"` or `status: 503`. */
function statusIn(body: unknown): number | undefined {
  const { error } = (body ?? {}) as { error?: unknown };
  const { code, status } = (typeof error === 'object' && error !== null ? error : (body ?? {})) as Record<
    string,
    unknown
  >;
  return [code, status].map(Number).find((number) => number >= 400 && number < 600);
}

const cut = (words: string) => (words.length > MAX_WORDS ? `${words.slice(0, MAX_WORDS - 1)}…` : words);
