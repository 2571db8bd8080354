import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inherited, startServer, type TestServer } from '../support/start-server';

const ROOT = join(__dirname, '../..');

interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command as `npm run` starts it. `onOutput` is told all that it has printed so far, after each piece. */
function run(
  name: 'server' | 'ingest' | 'ask' | 'demo',
  args: readonly string[],
  { env, onOutput }: { env?: object; onOutput?: (soFar: string, interrupt: () => void) => void } = {},
): Promise<Run> {
  const child = spawn(
    process.execPath,
    [join(ROOT, 'dist', name === 'server' ? 'apps/api/src/main.js' : `scripts/${name}.js`), ...args],
    {
      // Away from settings of the machine and from the `.env` of whoever runs the tests.
      cwd: tmpdir(),
      env: { ...inherited(), ...env },
    },
  );
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (text: Buffer) => {
    stdout += text.toString();
    onOutput?.(stdout, () => child.kill('SIGINT'));
  });
  child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
}

describe('The commands', () => {
  let server: TestServer;
  let folder: string;

  beforeAll(async () => {
    server = await startServer();
  });

  afterAll(() => server.stop());

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'toolwright-commands-'));
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const write = (path: string, text: string | Buffer) => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  };

  const ingest = (collection: string, args: readonly string[] = []) =>
    run('ingest', [folder, '--collection', collection, '--url', server.url, ...args]);

  const ask = (question: string, collection: string) =>
    run('ask', [question, '--collection', collection, '--url', server.url]);

  const list = async (collection: string) => {
    const response = await fetch(`${server.url}/v1/artifacts/list?collection=${collection}`);
    const { data } = (await response.json()) as { data: { artifact: string; doc_metadata: Record<string, unknown> }[] };
    return data;
  };

  describe('start', () => {
    it('says in one line that its port is in use', async () => {
      const { code, stderr } = await run('server', [], {
        env: {
          PORT: new URL(server.url).port,
          DATABASE_URL: server.database.url,
          DATA_DIR: folder,
          MODEL_DISCOVERY: 'off',
        },
      });
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringMatching(
          /^Toolwright could not start\. Port \d+ of 127\.0\.0\.1 is in use\..* PORT .*\n$/,
        ),
      });
    });

    it.each([
      [
        'a DATA_DIR that is a file',
        { DATA_DIR: __filename },
        /The data folder .* cannot be used: a file is in the way/,
      ],
      ['a HOST of elsewhere', { HOST: '192.0.2.1' }, /HOST 192\.0\.2\.1 is no address of this machine/],
    ])('says in one line what is wrong with %s', async (_, wrong, words) => {
      const { code, stderr } = await run('server', [], {
        env: { PORT: '0', DATABASE_URL: server.database.url, DATA_DIR: folder, MODEL_DISCOVERY: 'off', ...wrong },
      });
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(words) });
      expect(stderr.match(/\n/g)).toHaveLength(1);
    });
  });

  describe('ingest', () => {
    it('sends what is good, tells what is bad and why, and fails', async () => {
      write('notes/lighthouse.txt', 'The lighthouse of Cabo Verde was built in 1887. It is 41 metres high.');
      write('precios.md', '# Precios\n\nLa entrada cuesta 7 euros.');
      write('broken.pdf', 'this is no PDF');
      write('empty.txt', '');
      write('.hidden.txt', 'not for sending');
      const { code, stdout } = await ingest('mixed');
      expect(code).toBe(1);
      expect(stdout).toMatch(/^ingested {2}notes\/lighthouse\.txt \(1 chunk\)$/m);
      expect(stdout).toMatch(/^2 ingested \(\d+ chunks\), 0 unchanged, 2 failed, in [\d.]+ s$/m);
      expect(stdout).toMatch(/^ {2}broken\.pdf: unsupported_file: /m);
      expect(stdout).toMatch(/^ {2}empty\.txt: unsupported_file: /m);
      expect((await list('mixed')).map(({ artifact }) => artifact)).toEqual(['notes--lighthouse.txt', 'precios.md']);
    });

    it('sends nothing again that is there, and only what has changed', async () => {
      write('same.txt', 'The bridge opened in 1931.');
      write('changing.txt', 'The tunnel opened in 1950.');
      const first = await ingest('again');
      expect({ code: first.code, stderr: first.stderr }).toEqual({ code: 0, stderr: '' });
      const before = await list('again');

      const second = await ingest('again');
      expect(second.code).toBe(0);
      expect(second.stdout).toMatch(/^0 ingested \(0 chunks\), 2 unchanged, 0 failed/m);
      expect(await list('again')).toEqual(before);

      write('changing.txt', 'The tunnel opened in 1962.');
      const third = await ingest('again');
      expect(third.code).toBe(0);
      expect(third.stdout).toMatch(/^1 ingested \(1 chunk\), 1 unchanged, 0 failed/m);
      const answer = await ask('When did the tunnel open?', 'again');
      expect(answer.stdout).toContain('1962');
      expect(answer.stdout).not.toContain('1950');
    });

    it('stops when the server goes away, says what was left, and carries on the next time', async () => {
      const doomed = await startServer();
      for (let index = 0; index < 40; index++)
        write(`${index}.txt`, `Item number ${index} is kept on shelf ${index * 7}.`);
      let stopping: Promise<unknown> | undefined;
      const { code, stdout } = await run(
        'ingest',
        [folder, '--collection', 'doomed', '--url', doomed.url, '--concurrency', '1'],
        {
          onOutput: (soFar) => {
            if (soFar.includes('ingested ')) stopping ??= doomed.stop();
          },
        },
      );
      await stopping;
      expect(code).toBe(1);
      expect(stdout).toMatch(/^\d+ files not tried: .*nobody listens there/m);

      const { code: afterwards } = await ingest('doomed');
      expect(afterwards).toBe(0);
      expect(await list('doomed')).toHaveLength(40);
    });

    it.each([
      [[], /Name one folder/],
      [['.'], /--collection/],
      [['.', '--collection', 'x', '--concurrency', '0'], /--concurrency: a whole number between 1 and 32/],
      [['.', '--collection', 'x', '--url', 'ftp://x'], /--url/],
      [['.', '--collection', 'x', '--nonsense'], /nonsense/],
    ])('answers the arguments %j with the usage', async (args, problem) => {
      const { code, stderr } = await run('ingest', args);
      expect(code).toBe(2);
      expect(stderr).toMatch(problem);
      expect(stderr).toContain('Usage: npm run ingest');
    });

    it('tells in one line that there is no server, no such folder, or no such collection name', async () => {
      const nowhere = await run('ingest', [folder, '--collection', 'x', '--url', 'http://127.0.0.1:9']);
      expect(nowhere).toEqual({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/^http:\/\/127\.0\.0\.1:9: nobody listens there.*\n$/),
      });
      const absent = await run('ingest', [join(folder, 'absent'), '--collection', 'x', '--url', server.url]);
      expect(absent).toEqual({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/^The folder .*absent cannot be read: .*\n$/),
      });
      const name = await run('ingest', [folder, '--collection', '../x', '--url', server.url]);
      expect(name).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(/^collection: .*\n$/) });
    });

    it('sends nothing that is outside of the folder, and says so', async () => {
      write('docs/lighthouse.txt', 'The lighthouse of Cabo Verde was built in 1887.');
      write('private/key.txt', 'nobody else may read this');
      symlinkSync(join(folder, 'private'), join(folder, 'docs/more'));
      const docs = [join(folder, 'docs'), '--collection', 'inside', '--url', server.url];
      const { code, stdout } = await run('ingest', docs);
      expect(code).toBe(0);
      expect(stdout).toMatch(/^1 ingested [^]*lead out of the folder:\n {2}more\n$/m);
      expect((await list('inside')).map(({ artifact }) => artifact)).toEqual(['lighthouse.txt']);
    });
  });

  describe('ask', () => {
    beforeAll(async () => {
      const { code, stdout } = await run('ingest', [
        join(ROOT, 'samples'),
        '--collection',
        'samples',
        '--url',
        server.url,
      ]);
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('7 ingested') });
    });

    it('prints the answer and where it stands', async () => {
      const { code, stdout, stderr } = await ask(
        'How many days of annual leave does a full-time employee have?',
        'samples',
      );
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(/27 days[^[]*\[1\]/);
      expect(stdout).toMatch(/^Sources\n {2}\[1\] employee-handbook\.pdf, page 2/m);
      expect(stdout).not.toContain('<citation');
    });

    it('computes what a table tells', async () => {
      const { code, stdout } = await ask('What is the total amount by country?', 'samples');
      expect(code).toBe(0);
      expect(stdout).toMatch(/^\| Portugal \| 34655 \|$/m);
    });

    it('looks only in the artifacts that it is told', async () => {
      const { code, stdout } = await run('ask', [
        'How many days of annual leave does a full-time employee have?',
        ...['--collection', 'samples', '--artifact', 'facility-rules.txt', '--url', server.url],
      ]);
      expect(code).toBe(0);
      expect(stdout).not.toContain('27 days');
    });

    it('says in one line what the server refused', async () => {
      const { code, stdout, stderr } = await run('ask', [
        ...['Hello?', '--collection', 'samples', '--model', 'no-such-model', '--url', server.url],
      ]);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/^Model 'no-such-model' not found\..*\n$/);
    });

    it('wants a question and a collection', async () => {
      expect(await run('ask', ['--collection', 'x'])).toEqual(
        expect.objectContaining({ code: 2, stderr: expect.stringContaining('Ask a question') }),
      );
    });
  });

  describe('demo', () => {
    /** The demo's folder lies here, and so does whatever it leaves behind. */
    let temporary: string;

    beforeEach(() => {
      temporary = mkdtempSync(join(tmpdir(), 'toolwright-tmp-'));
    });

    afterEach(() => rmSync(temporary, { recursive: true, force: true }));

    it('answers its eight questions, and leaves nothing behind', async () => {
      const { code, stdout, stderr } = await run('demo', [], { env: { TMPDIR: temporary } });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(/7 documents ingested/);
      expect(stdout.match(/^\d\. /gm)).toHaveLength(8);
      expect(stdout).toContain('| Valencia | 52660.20 |');
      expect(stdout).toMatch(/tours start at 10:30/i);
      expect(stdout).toContain('[1] employee-handbook.pdf, page 2');
      expect(stdout).toContain('contrato-suministro.docx, Contrato de suministro › 3. Plazo de entrega');
      expect(readdirSync(temporary)).toEqual([]);
    }, 240_000);

    it('takes its server and its folder down on Ctrl-C', async () => {
      let url = '';
      const { code } = await run('demo', [], {
        env: { TMPDIR: temporary },
        onOutput: (soFar, interrupt) => {
          const [, found] = /server ready at (\S+)/.exec(soFar) ?? [];
          if (!found || url) return;
          url = found;
          interrupt();
        },
      });
      expect(code).toBe(130);
      expect(url).not.toBe('');
      await expect(fetch(`${url}/health`)).rejects.toThrow();
      expect(readdirSync(temporary)).toEqual([]);
    }, 240_000);
  });
});
