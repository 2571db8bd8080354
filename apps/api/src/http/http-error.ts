import { PlatformError, type ErrorType, type PlatformErrorOptions } from '@app/contract';

export interface HttpErrorOptions extends PlatformErrorOptions {
  /** Response headers that belong to this refusal, `allow` and the like. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A refusal by the HTTP layer itself, whose status is not the one that its error type has elsewhere. */
export class HttpError extends PlatformError {
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly status: number,
    type: ErrorType,
    explanation: string,
    { headers = {}, ...options }: HttpErrorOptions = {},
  ) {
    super(type, explanation, options);
    this.headers = headers;
  }
}
