import { InvalidRequestError } from '@app/contract';

/** What stopped an outbound request (security.md §0). Stable; the words after it are for people. */
export type EgressToken =
  'egress_denied' | 'egress_limit' | 'limit_exceeded' | 'tool_timeout' | 'unsupported_file' | 'connection_failed';

/**
 * An outbound request that was refused, or came to nothing.
 *
 * Its message begins with the token and holds no resolved address and nothing of what a driver said: what an answer
 * tells about a network that the asker cannot see is told by the same words whatever is there (SEC-21).
 */
export class EgressError extends InvalidRequestError {
  constructor(
    readonly token: EgressToken,
    words: string,
    options?: { readonly cause?: unknown },
  ) {
    super(`${token}: ${words}`, options);
  }
}
