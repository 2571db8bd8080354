/** What people ask of tables, from the files to the answers of the built-in model, on the real server. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { readGuide } from '../support/guide';
import { FURTHER_OFFICE_QUESTIONS, OFFICE_QUESTIONS, officeFiles } from '../support/office-questions';
import { sameRows } from '../support/same-rows';
import { startServer, type TestServer } from '../support/start-server';
import { QUESTIONS } from '../support/table-questions';
import { FURTHER_QUESTIONS, LAST_QUESTIONS } from '../support/table-questions-further';

type Verdict = 'right' | 'wrong' | 'declined';
type Rows = readonly (readonly unknown[])[];

const FOUR = ['orders', 'employees', 'ventas', 'inventario'];

describe('questions over tables, by the public API with the built-in model', () => {
  let server: TestServer;
  let folder: string;
  let files: DuckDBConnection;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'office-'));
    // What the search finds of the tables is not asked here.
    server = await startServer({ env: { MAX_TABLE_TEXT_ROWS: '1' } });
    files = await (await DuckDBInstance.create(':memory:')).connect();
    for (const [name, { path, rows }] of Object.entries(officeFiles(folder))) {
      await files.run(`CREATE VIEW ${name} AS ${rows}`);
      const response = await server.post('/v1/artifacts/ingest', {
        artifact: name,
        collection: 'office',
        input: { type: 'file', value: readFileSync(path).toString('base64') },
        metadata: { file_name: `${name}.${basename(path).split('.').at(-1)}` },
      });
      if (response.status !== 200) throw new Error(await response.text());
    }
  });
  afterAll(async () => {
    files?.disconnectSync();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** @param right undefined where a question has no one answer. */
  async function judge(artifacts: readonly string[], query: string, right: Rows | undefined): Promise<Verdict> {
    const response = await server.post('/v1/tools/tabular-data-analysis', {
      query,
      context_filter: { collection: 'office', artifacts },
    });
    const { content } = (await response.json()) as { content: { type: string; text?: string }[] };
    const texts = content.flatMap(({ type, text }) => (type === 'text' ? [text!] : []));
    if (texts[0]!.startsWith('The tables cannot answer this.')) return 'declined';
    const last = texts.at(-1)!;
    const rows = last.startsWith('{')
      ? last.split('\n').map((line) => JSON.parse(line) as Record<string, unknown>)
      : [];
    if (right && sameRows(rows, right)) return 'right';
    console.log('WRONG', query, texts, right?.slice(0, 5));
    return 'wrong';
  }

  it('are answered where the guide gives them as examples', async () => {
    const [, table = ''] = readGuide('docs/table-questions.md').split(/^\| Ask for .*$/m);
    const examples = [...table.split('\n\n')[0]!.matchAll(/`([^`]+)`/g)].map(([, question]) => question!);
    expect(examples.length).toBeGreaterThanOrEqual(26);
    const declined: string[] = [];
    for (const query of examples) {
      const artifacts = query.includes('precipitation') ? ['weather'] : FOUR;
      const body = { query, context_filter: { collection: 'office', artifacts } };
      const { content } = (await (await server.post('/v1/tools/tabular-data-analysis', body)).json()) as any;
      if (!content[0].text.startsWith('```sql\n')) declined.push(query);
    }
    expect(declined).toEqual([]);
  });

  it('are answered right for four in five of the sixty, and never wrong', async () => {
    const verdicts = { right: 0, wrong: 0, declined: 0 };
    for (const { question, answer } of QUESTIONS) verdicts[await judge(FOUR, question, answer())]++;
    expect(verdicts.wrong).toBe(0);
    expect(verdicts.right).toBeGreaterThanOrEqual(48);
  });

  it('are answered right or declined where they were written by others later', async () => {
    const verdicts = { right: 0, wrong: 0, declined: 0 };
    for (const { question, answer } of [...FURTHER_QUESTIONS, ...LAST_QUESTIONS])
      verdicts[await judge(FOUR, question, answer())]++;
    expect(verdicts.wrong).toBe(0);
    expect(verdicts.right).toBeGreaterThanOrEqual(30);
  });

  it.each([
    ['offices', OFFICE_QUESTIONS, 28],
    ['offices, meant to be misunderstood', FURTHER_OFFICE_QUESTIONS, 22],
  ])('of %s are answered right or declined', async (_, questions, enough) => {
    const verdicts = { right: 0, wrong: 0, declined: 0 };
    for (const [file, question, sql] of questions) {
      const right = sql === undefined ? undefined : (await files.runAndReadAll(sql)).getRowsJson();
      const verdict = await judge([file], question, right as Rows | undefined);
      if (process.env.SHOW) console.log(verdict, question);
      verdicts[verdict]++;
    }
    expect(verdicts.wrong).toBe(0);
    expect(verdicts.right).toBeGreaterThanOrEqual(enough);
  });
});
