/**
 * What a ChildPool and its children say to each other. Structured clone carries the values, so typed arrays arrive
 * as typed arrays.
 */
import {
  InvalidRequestError,
  NotFoundError,
  OverloadedError,
  PlatformError,
  TooLargeError,
  type ErrorType,
  type Explanation,
  type PlatformErrorOptions,
} from '@app/contract';

export interface Job {
  readonly payload: unknown;
}

/** A child has the job and begins. */
export interface Started {
  readonly kind: 'started';
  /** Processor time that it has used so far, in milliseconds. */
  readonly cpuMs: number;
}

export type Outcome =
  | { readonly kind: 'result'; readonly value: unknown }
  | { readonly kind: 'refusal'; readonly refusal: Refusal }
  | { readonly kind: 'failure'; readonly failure: Failure };

/** A PlatformError, as data. */
interface Refusal extends Pick<PlatformErrorOptions, 'code' | 'retryAfter' | 'errorCode'> {
  readonly name: string;
  readonly type: ErrorType;
  readonly explanation: Explanation;
}

/** Any other error, as data. */
interface Failure {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
  /** That of the system, as `ENOSPC`: by it others know what it means. */
  readonly code?: string;
}

const REFUSALS: Partial<Record<ErrorType, new (text: never, options?: PlatformErrorOptions) => PlatformError>> = {
  invalid_request_error: InvalidRequestError,
  not_found_error: NotFoundError,
  request_too_large: TooLargeError,
  overloaded_error: OverloadedError,
};

/** The error a task threw, made again on this side: PlatformErrors as such, whatever else as an Error of its name. */
export function toError(outcome: Exclude<Outcome, { kind: 'result' }>): Error {
  if (outcome.kind === 'failure') return Object.assign(new Error(outcome.failure.message), outcome.failure);
  const { name, type, explanation, ...options } = outcome.refusal;
  const known = REFUSALS[type];
  const error = known ? new known(explanation as never, options) : new PlatformError(type, explanation, options);
  return Object.assign(error, { name });
}
