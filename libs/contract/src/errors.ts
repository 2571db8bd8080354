/**
 * Errors that a caller may see.
 *
 * A PlatformError carries one of these types, whether it leaves as an HTTP body or as an `error` event. Its
 * explanation names the thing, the rule and the way out. Anything else that is thrown is our fault: it leaves as
 * `api_error` without a word of its own, and is whole in the log. Statuses are the API app's business.
 */
import { z } from 'zod';

export const ERROR_TYPES = [
  'invalid_request_error',
  'authentication_error',
  'billing_error',
  'permission_error',
  'not_found_error',
  'timeout_error',
  'conflict_error',
  'request_too_large',
  'rate_limit_error',
  'api_error',
  'overloaded_error',
] as const;

export type ErrorType = (typeof ERROR_TYPES)[number];

/** One thing that is wrong with a body (messages-api §1.4). `loc` begins with `body`. */
export interface BodyIssue {
  readonly type: string;
  readonly loc: (string | number)[];
  readonly msg: string;
}

/** A sentence, or one entry for each thing that is wrong with the body. */
export type Explanation = string | BodyIssue[];

export interface PlatformErrorOptions {
  /** The contract's code, `INVALID_REQUEST_ERROR` and the like. Default: the type in capitals, ending in `_ERROR`. */
  readonly code?: string;
  /** The failure behind this one. For the log, never for the caller. */
  readonly cause?: unknown;
  /** Seconds after which asking again makes sense; becomes the `retry-after` header. */
  readonly retryAfter?: number;
  /** A machine-readable code of the Anthropic dialect, sent as `error.details.error_code` (anthropic-compat §14). */
  readonly errorCode?: string;
}

export class PlatformError extends Error {
  readonly code: string;
  readonly retryAfter?: number;
  readonly errorCode?: string;

  constructor(
    readonly type: ErrorType,
    readonly explanation: Explanation,
    { code, cause, retryAfter, errorCode }: PlatformErrorOptions = {},
  ) {
    super(typeof explanation === 'string' ? explanation : inWords(explanation), { cause });
    this.name = new.target.name;
    this.code = code ?? (type.endsWith('_error') ? type : `${type}_error`).toUpperCase();
    this.retryAfter = retryAfter;
    this.errorCode = errorCode;
  }
}

/** 400: the request cannot be served as it stands. */
export class InvalidRequestError extends PlatformError {
  constructor(explanation: Explanation, options?: PlatformErrorOptions) {
    super('invalid_request_error', explanation, options);
  }
}

/** 404: an id, a model or a path that does not exist, or is not the caller's to see. */
export class NotFoundError extends PlatformError {
  constructor(explanation: string, options?: PlatformErrorOptions) {
    super('not_found_error', explanation, options);
  }
}

/** 504: somebody whom the answer needs took too long; worth trying again (anthropic-compat §11). */
export class TimeoutError extends PlatformError {
  constructor(explanation: string, options?: PlatformErrorOptions) {
    super('timeout_error', explanation, options);
  }
}

/** 409: what is asked for meets something that goes on at the same time; worth trying again. */
export class ConflictError extends PlatformError {
  constructor(explanation: string, options?: PlatformErrorOptions) {
    super('conflict_error', explanation, options);
  }
}

/** 413: over a limit of bytes. The text names the limit and its setting. */
export class TooLargeError extends PlatformError {
  constructor(explanation: string, options?: PlatformErrorOptions) {
    super('request_too_large', explanation, options);
  }
}

/** 529: too busy, or the model server cannot be reached; worth trying again. */
export class OverloadedError extends PlatformError {
  constructor(explanation: string, options?: PlatformErrorOptions) {
    super('overloaded_error', explanation, options);
  }
}

const explanationSchema = z.union([
  z.string(),
  z.array(
    z.strictObject({
      type: z.string(),
      loc: z.array(z.union([z.string(), z.number().int().min(0)])),
      msg: z.string(),
    }),
  ),
]);

/** The error body of messages-api §1.4 (a), with the cause in `error.message` (architecture §6, decision 3). */
export const errorBodySchema = z
  .strictObject({
    type: z.literal('error'),
    error: z.strictObject({
      type: z.enum(ERROR_TYPES),
      message: z.string(),
      detail: z.strictObject({ code: z.string(), explanation: explanationSchema }),
      details: z.strictObject({ error_code: z.string() }).optional(),
    }),
    request_id: z.string().nullable(),
    exception: z.strictObject({ type: z.string(), message: z.string() }),
    detail: explanationSchema,
  })
  .meta({ id: 'ErrorBody' });

export type ErrorBody = z.infer<typeof errorBodySchema>;

/** What a caller is told of an error; see `errorBodySchema`. */
export function toErrorBody(error: unknown, requestId: string | null = null): ErrorBody {
  const known = error instanceof PlatformError ? error : new PlatformError('api_error', 'Internal error');
  const { type, code, explanation, message, errorCode } = known;
  return {
    type: 'error',
    error: {
      type,
      message,
      detail: { code, explanation },
      ...(errorCode && { details: { error_code: errorCode } }),
    },
    request_id: requestId,
    exception: { type: PUBLIC_EXCEPTION[type] ?? 'ValueError', message },
    detail: explanation,
  };
}

/** Public categories only: the contract's `exception` never carries a class of ours (SEC-137). */
const PUBLIC_EXCEPTION: Partial<Record<ErrorType, string>> = {
  authentication_error: 'PermissionError',
  permission_error: 'PermissionError',
  not_found_error: 'LookupError',
  timeout_error: 'TimeoutError',
  api_error: 'RuntimeError',
  overloaded_error: 'RuntimeError',
};

const inWords = (issues: BodyIssue[]) =>
  issues.map(({ loc, msg }) => `${loc.slice(1).join('.') || 'body'}: ${msg}`).join('; ');
