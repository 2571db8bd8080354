import { environmentSchema } from '@app/platform';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startServer, type TestServer } from '../support/start-server';

const ROOT = join(__dirname, '../..');
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');
const URL_IN_README = 'http://127.0.0.1:8080';
const hasCurl = (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, 'curl')));

interface Step {
  readonly heading: string;
  readonly command: string;
  /** What the README shows below the command. */
  readonly shown?: { readonly language: string; readonly text: string };
}

/** The commands of the tour, each with the output that is printed below it. */
function tour(): Step[] {
  const [, section = ''] = /<!-- tour -->([\s\S]*)<!-- \/tour -->/.exec(README) ?? [];
  const steps: Step[] = [];
  let heading = '';
  for (const [, title, language, text] of section.matchAll(/^### (.+)$|^```(\w+)\n([\s\S]*?)\n```$/gm)) {
    if (title) heading = title;
    else if (language === 'sh') steps.push({ heading, command: text! });
    else steps.push({ ...steps.pop()!, shown: { language: language!, text: text! } });
  }
  return steps;
}

/** Fields whose words are promised; of every other only the type is. */
const PROMISED = new Set(['type', 'role', 'object', 'name', 'stop_reason', 'artifact', 'file_name', 'is_error']);

/** Whether an answer has all that the README shows of it. */
function expectShown(shown: unknown, real: unknown, path = '$'): void {
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

describe('The README', () => {
  it('has a row for every variable, with its default', () => {
    const rows = new Map(
      [...README.matchAll(/^\| `([A-Z_]+)` +\| ([^|]+?) +\|/gm)].map(([, name, value]) => [name, value]),
    );
    expect([...rows.keys()].sort()).toEqual(Object.keys(environmentSchema.shape).sort());
    for (const [name, value] of Object.entries(environmentSchema.parse({}))) {
      if (value === undefined || Array.isArray(value)) continue;
      expect({ [name]: rows.get(name) }).toEqual({ [name]: `\`${String(value)}\`` });
    }
  });

  it('links to files that exist', () => {
    const links = [...README.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, target]) => target!);
    expect(links.length).toBeGreaterThan(3);
    expect(links.filter((target) => !existsSync(join(ROOT, target)))).toEqual([]);
  });

  (hasCurl ? describe : describe.skip)('has a tour whose commands', () => {
    let server: TestServer;

    beforeAll(async () => {
      server = await startServer();
    });

    afterAll(() => server.stop());

    it('work as they are written, and answer what is printed below them', async () => {
      const steps = tour();
      expect(steps.length).toBeGreaterThanOrEqual(6);
      for (const { heading, command, shown } of steps) {
        const failing = 'set -e\ncurl() { command curl --fail-with-body --show-error "$@"; }\n';
        const script = failing + command.replaceAll(URL_IN_README, server.url);
        const { stdout } = await promisify(execFile)('sh', ['-c', script], { cwd: ROOT, timeout: 30_000 }).catch(
          ({ stdout, stderr }) => {
            throw new Error(`${heading}: ${stderr} ${stdout}`);
          },
        );
        if (shown?.language === 'json') expectShown(JSON.parse(shown.text), JSON.parse(stdout), heading);
        if (shown?.language === 'text') {
          for (const [event] of shown.text.matchAll(/^event: \w+$/gm)) expect(stdout).toContain(event);
        }
      }
    });
  });
});
