import { InvalidRequestError } from '@app/contract';

/** 400: a format we do not read, a file that is not what its name says, or one without text to read (SEC-70). */
export class UnsupportedFileError extends InvalidRequestError {
  constructor(reason: string, options?: { readonly cause?: unknown }) {
    super(`unsupported_file: ${reason}`, options);
  }
}

/** 400: a file built to exhaust or to mislead whoever opens it (SEC-72, SEC-73, SEC-78). */
export class UnsafeFileError extends InvalidRequestError {
  constructor(reason: string, options?: { readonly cause?: unknown }) {
    super(`unsafe_file: ${reason}`, options);
  }
}

/** 400: a sound file that is larger than the operator allows. The text names the setting. */
export class LimitExceededError extends InvalidRequestError {
  constructor(reason: string, setting: string) {
    super(`limit_exceeded: ${reason} (setting ${setting})`);
  }
}
