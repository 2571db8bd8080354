/** The snippets of docs/clients.md, run as they stand against the built-in model. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startServer, type TestServer } from '../support/start-server';
import { PYTHON, whyNoPython } from './python';

const ROOT = join(__dirname, '../..');
const URL_IN_GUIDE = 'http://127.0.0.1:8080';
const GUIDE = readFileSync(join(ROOT, 'docs/clients.md'), 'utf8');
const noPython = whyNoPython();

interface Snippet {
  readonly heading: string;
  readonly language: string;
  readonly code: string;
  /** What the guide shows below it. */
  readonly printed: string;
}

function snippets(): Snippet[] {
  const found: Snippet[] = [];
  let heading = '';
  const parts = /^## (.+)$|^```(js|python)\n([^]*?)\n```\n\n```text\n([^]*?)\n```$/gm;
  for (const [, title, language, code, printed] of GUIDE.matchAll(parts)) {
    if (title) heading = title;
    else found.push({ heading, language: language!, code: code!, printed: printed! });
  }
  return found;
}

describe('The guide for clients', () => {
  let server: TestServer;
  let folder: string;
  beforeAll(async () => {
    server = await startServer();
    // In the repository, so that the snippets find the clients that are installed in it.
    await mkdir(join(ROOT, '.cache'), { recursive: true });
    folder = await mkdtemp(join(ROOT, '.cache/guide-'));
    const value = 'Full-time employees have 27 days of annual leave.';
    const input = { type: 'text', value };
    await server.post('/v1/artifacts/ingest', { artifact: 'handbook', collection: 'demo', input });
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
    await server.stop();
  });

  const all = snippets();
  if (noPython) console.warn(`The Python snippets of docs/clients.md are not run: ${noPython}`);

  it('names the versions that are tried', () => {
    const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const tried = ['@anthropic-ai/sdk', 'anthropic-sdk-0', 'ai', '@ai-sdk/anthropic', '@langchain/anthropic'].map(
      (name) => String(devDependencies[name]).split('@').at(-1)!,
    );
    const [, python] = /anthropic==([\d.]+)/.exec(readFileSync(join(ROOT, '.ci/run'), 'utf8'))!;
    const table = GUIDE.split('\n')
      .filter((line) => line.startsWith('|'))
      .join('\n');
    expect([...tried, python!].filter((version) => !table.includes(version))).toEqual([]);
  });

  it('has a snippet for each', () => {
    expect(new Set(all.map(({ heading }) => heading))).toEqual(
      new Set(['TypeScript', 'Python', 'AI SDK', 'LangChain']),
    );
  });

  const runnable = all.filter(({ language }) => language === 'js' || !noPython);
  it.each(runnable.map((snippet, position) => [snippet.heading, position + 1, snippet] as const))(
    'has a snippet that prints what is shown below it: %s (%i)',
    async (_, position, { language, code, printed }) => {
      const file = join(folder, `${position}.${language === 'js' ? 'mjs' : 'py'}`);
      expect(code).toContain(URL_IN_GUIDE);
      await writeFile(file, code.replaceAll(URL_IN_GUIDE, server.url));
      const program = language === 'js' ? process.execPath : PYTHON;
      const { stdout } = await promisify(execFile)(program, [file], { timeout: 50_000 });
      expect(stdout).toContain(printed);
    },
  );
});
