/** The commands and examples of a guide in Markdown, and whether a server answers what is printed below them. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const ROOT = join(__dirname, '../..');
const URL_IN_GUIDES = 'http://127.0.0.1:8080';
export const hasCurl = (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, 'curl')));

export interface Step {
  readonly heading: string;
  readonly command: string;
  /** What the guide shows below the command. */
  readonly shown?: { readonly language: string; readonly text: string };
}

/** @param name below the root of the repository. */
export const readGuide = (name: string): string => readFileSync(join(ROOT, name), 'utf8');

/** The shell commands, each with the output that is printed below it. */
export function stepsOf(markdown: string): Step[] {
  const steps: Step[] = [];
  let heading = '';
  for (const [, title, language, text] of markdown.matchAll(/^##+ (.+)$|^```(\w+)\n([\s\S]*?)\n```$/gm)) {
    if (title) heading = title;
    else if (language === 'sh') steps.push({ heading, command: text! });
    else if (steps.length > 0) steps.push({ ...steps.pop()!, shown: { language: language!, text: text! } });
  }
  return steps;
}

/** The examples in JSON that hold a whole request with messages. */
export function requestsIn(markdown: string): Record<string, unknown>[] {
  return [...markdown.matchAll(/^```json\n([\s\S]*?)\n```$/gm)]
    .map(([, text]) => JSON.parse(text!) as Record<string, unknown>)
    .filter((body) => 'messages' in body);
}

/**
 * Runs a command against a server, and holds what it prints against what the guide shows.
 *
 * @param url of the server, in the place of the one that guides name.
 */
export async function runStep({ heading, command, shown }: Step, url: string): Promise<void> {
  const failing = 'set -e\ncurl() { command curl --fail-with-body --show-error "$@"; }\n';
  const script = failing + command.replaceAll(URL_IN_GUIDES, url);
  const { stdout } = await promisify(execFile)('sh', ['-c', script], { cwd: ROOT, timeout: 30_000 }).catch(
    ({ stdout, stderr }) => {
      throw new Error(`${heading}: ${stderr} ${stdout}`);
    },
  );
  if (shown?.language === 'json') expectShown(JSON.parse(shown.text), JSON.parse(stdout), heading);
  if (shown?.language === 'text') {
    const events = [...shown.text.matchAll(/^event: \w+$/gm)].map(([event]) => event);
    for (const event of events) expect(stdout).toContain(event);
    // Answers end without a line break; a guide begins a line for each.
    if (events.length === 0) expect(stdout).toBe(shown.text.replaceAll('\n', ''));
  }
}

/** Fields whose words are promised; of every other only the type is. */
const PROMISED = new Set([
  ...['type', 'role', 'object', 'name', 'stop_reason', 'artifact', 'file_name', 'is_error'],
  ...['message_id', 'status', 'message', 'stream_type'],
]);

/** Whether an answer has all that a guide shows of it. */
function expectShown(shown: unknown, real: unknown, path: string): void {
  if (typeof shown !== 'object' || shown === null) {
    if (PROMISED.has(path.split('.').at(-1)!)) expect({ [path]: real }).toEqual({ [path]: shown });
    else expect({ [path]: typeof real }).toEqual({ [path]: typeof shown });
    return;
  }
  expect({ [path]: Array.isArray(real) }).toEqual({ [path]: Array.isArray(shown) });
  for (const [key, value] of Object.entries(shown)) {
    expectShown(value, (real as Record<string, unknown> | undefined)?.[key], `${path}.${key}`);
  }
}
