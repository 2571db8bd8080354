/** What a model, and whoever asked it, is told of a tool that threw. */
import { PlatformError } from '@app/contract';
import { foreseen } from '@app/platform';
import { ToolError } from './tool';

export interface Failure {
  readonly words: string;
  /** Nothing that the model or the caller did: for the log. */
  readonly isOurs: boolean;
}

/** What is unavailable is named, so that the caller knows whether to ask again; what nobody foresaw keeps its words. */
export function failureOf(error: unknown): Failure {
  if (error instanceof ToolError) return { words: error.message, isOurs: false };
  const known = foreseen(error);
  if (!(known instanceof PlatformError)) return { words: 'The tool failed.', isOurs: true };
  return { words: known.message, isOurs: known !== error || known.type === 'api_error' };
}
