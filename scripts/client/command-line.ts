/** What the commands have in common: how the server is named, and how a command fails. */
import { resolve } from 'node:path';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { ApiClient, ApiError, ConnectionError } from './api-client';

/** The arguments make no sense; the message says which. */
export class UsageError extends Error {}

const CONNECTION_OPTIONS = { url: { type: 'string' }, key: { type: 'string' }, org: { type: 'string' } } as const;

export const CONNECTION_USAGE = `  --url URL          where the server is (TOOLWRIGHT_URL; default http://127.0.0.1:8080)
  --key KEY          API key, for a server that wants one (TOOLWRIGHT_KEY, which other users of this machine cannot see)
  --org NAME         organisation (TOOLWRIGHT_ORG)`;

/** The options of a command with those of every command; `--help` among them. */
export function readArguments<const Options extends NonNullable<ParseArgsConfig['options']>>(options: Options) {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { ...CONNECTION_OPTIONS, help: { type: 'boolean', short: 'h' }, ...options },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** The client of the server that the arguments name, else the environment. */
export function connect(given: { readonly url?: string; readonly key?: string; readonly org?: string }): ApiClient {
  const { TOOLWRIGHT_URL, TOOLWRIGHT_KEY, TOOLWRIGHT_ORG } = process.env;
  const address = given.url ?? (TOOLWRIGHT_URL || 'http://127.0.0.1:8080');
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new UsageError(`--url: ${address} is not a URL that begins with http:// or https://`);
  }
  return new ApiClient({ url, key: given.key ?? TOOLWRIGHT_KEY, organisation: given.org ?? TOOLWRIGHT_ORG });
}

/** @throws UsageError unless the option is a whole number between 1 and the maximum. */
export function countOf(name: string, value: string | undefined, fallback: number, maximum: number): number {
  const count = value === undefined ? fallback : Number(value);
  if (Number.isInteger(count) && count >= 1 && count <= maximum) return count;
  throw new UsageError(`--${name}: a whole number between 1 and ${maximum}`);
}

/** A path as the user typed it: `npm run` changes the folder, and leaves the user's in INIT_CWD. */
export function pathOf(path: string): string {
  const { npm_lifecycle_event, INIT_CWD } = process.env;
  return resolve((npm_lifecycle_event === 'ingest' && INIT_CWD) || '.', path);
}

/**
 * Runs a command: its exit code is the number it returns; 2 with the usage for arguments that make no sense, 1 with the
 * reason for what went wrong, 130 after Ctrl-C.
 */
export async function runCommand(usage: string, command: (signal: AbortSignal) => Promise<number>): Promise<void> {
  const interrupted = new AbortController();
  const stop = () => interrupted.abort(new Error('stopped'));
  // Again and again: npm passes on a Ctrl-C that the terminal has sent already, and cleaning up should outlive both.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  // A reader that has seen enough, such as `head`.
  process.stdout.on('error', stop);
  try {
    process.exitCode = await command(interrupted.signal);
  } catch (error) {
    if (!interrupted.signal.aborted) console.error(wordsOf(error, usage));
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
  if (interrupted.signal.aborted) process.exitCode = 130;
}

function wordsOf(error: unknown, usage: string): string {
  if (error instanceof UsageError) return `${error.message}\n\n${usage}`;
  if (error instanceof ApiError && error.status === 401) {
    return `${error.message}\nGive the key with --key, or in TOOLWRIGHT_KEY.`;
  }
  if (error instanceof ApiError || error instanceof ConnectionError) return error.message;
  return (error as Error).message || String(error);
}
