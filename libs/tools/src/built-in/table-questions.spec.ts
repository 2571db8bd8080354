/**
 * Questions with known answers, through the whole tool: the built-in model writes the SQL, or a scripted one writes what
 * a person wrote.
 */
import type { ChatModel } from '@app/models';
import { loadConfig } from '@app/platform';
import { BuiltInModel } from '../../../models/src/chat/built-in/built-in-model';
import { parquetTables, type ParquetTables } from '../../../../test/support/parquet-tables';
import { ScriptedChatModel } from '../../../../test/support/scripted-chat-model';
import { sameRows } from '../../../../test/support/same-rows';
import { storedFixtures } from '../../../../test/support/table-fixtures';
import { QUESTIONS, type Cell } from '../../../../test/support/table-questions';
import { FURTHER_QUESTIONS, LAST_QUESTIONS } from '../../../../test/support/table-questions-further';
import { ChartPainter } from '../sql/chart/chart-painter';
import { TableEngine } from '../sql/table-engine';
import { tabularAnalysis } from './tabular-analysis.tool';

type Verdict = 'right' | 'wrong' | 'declined';

describe('questions over tables', () => {
  const { sql: limits } = loadConfig({});
  const engine = new TableEngine(limits);
  const painter = new ChartPainter();
  let files: ParquetTables;
  let tool: ReturnType<typeof tabularAnalysis>;

  beforeAll(async () => {
    files = await parquetTables();
    const stored = await storedFixtures(files);
    tool = tabularAnalysis({ tables: { find: () => Promise.resolve(stored) }, engine, painter, limits });
  });
  afterAll(async () => {
    await engine.close();
    await painter.close();
    await files.close();
  });

  async function ask(query: string, model: ChatModel) {
    const context = [{ type: 'ingested_artifact', context_filter: { collection: 'c' } }] as never;
    const signal = new AbortController().signal;
    const content = await tool.execute(
      { query },
      { caller: {} as never, context, signal, turn: {} as never, spec: {} as never, model, spent: () => undefined },
    );
    const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
    const lines = texts.at(-1)!.startsWith('{') ? texts.at(-1)!.split('\n') : [];
    return { content, texts, rows: lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
  }

  async function judge(
    question: string,
    answer: () => readonly (readonly Cell[])[],
    model: ChatModel,
  ): Promise<Verdict> {
    const { texts, rows } = await ask(question, model);
    if (texts[0]!.startsWith('The tables cannot answer this.')) {
      if (process.env.SHOW) console.log('DECLINED', question, texts[0]);
      return 'declined';
    }
    if (sameRows(rows, answer())) return 'right';
    console.log('WRONG', question, texts, answer().slice(0, 5));
    return 'wrong';
  }

  it('counts how it is tested: half of them Spanish, no two alike', () => {
    expect(QUESTIONS).toHaveLength(60);
    expect(
      QUESTIONS.filter(({ question }) => /[¿áéíóúñ]|\b(?:por|de|con)\b/i.test(question)).length,
    ).toBeGreaterThanOrEqual(29);
    expect(new Set([...QUESTIONS, ...FURTHER_QUESTIONS, ...LAST_QUESTIONS].map(({ question }) => question)).size).toBe(
      100,
    );
  });

  it('are all answered right where the model writes the right SQL', async () => {
    for (const { question, sql, answer } of [...QUESTIONS, ...FURTHER_QUESTIONS, ...LAST_QUESTIONS]) {
      const model = new ScriptedChatModel(`\`\`\`sql\n${sql}\n\`\`\``);
      expect([question, await judge(question, answer, model)]).toEqual([question, 'right']);
    }
  });

  it.each([
    ['sixty', QUESTIONS, 0.8],
    ['twenty others', FURTHER_QUESTIONS, 0.5],
    ['twenty that came last', LAST_QUESTIONS, 0.3],
  ])('the built-in model answers most of %s, and declines the rest rather than guess', async (_, questions, share) => {
    const verdicts: Record<Verdict, number> = { right: 0, wrong: 0, declined: 0 };
    for (const { question, answer } of questions) verdicts[await judge(question, answer, new BuiltInModel())]++;
    if (process.env.SHOW) console.log(verdicts);
    expect(verdicts.wrong).toBe(0);
    expect(verdicts.right / questions.length).toBeGreaterThanOrEqual(share);
  });

  it.each([
    ['Draw a bar chart of the total amount by country', 'bar', 'country'],
    ['Gráfico de líneas del importe total por mes en 2024', 'line', 'month'],
    ['Show a histogram of salary', 'histogram', 'salary'],
    ['Diagrama de dispersión de existencias frente a precio', 'scatter', 'existencias'],
  ])('the built-in model draws: %s', async (question, type, x) => {
    const { content } = await ask(question, new BuiltInModel());
    const [svg] = content.filter(
      (block: any) => block.type === 'binary' && block.mime_type === 'image/svg+xml',
    ) as any[];
    const drawn = Buffer.from(svg.data, 'base64').toString();
    expect(drawn).toMatch(/^<svg /);
    expect(drawn).toContain(`>${x}</text>`);
    expect(type).not.toBe('');
  });

  it.each([
    'Total amount 2024 vs the average',
    'Which country has the highest amount?',
    'Which customers ordered more than 5 units?',
    'Which employees earn more than the average?',
    'How many orders in Germany or with status Pending?',
    'percentage of shipped orders in Germany',
    'Top 5 products',
    '¿Cuántos vendedores vendieron más de 50 unidades?',
    '¿Cuál es la media de ventas por mes?',
    '¿Cuántas ventas se hicieron en junio?',
    '¿Qué región vendió más?',
    'Importe de las ventas de Botas menos las de Gorra',
    'Ventas de los últimos 3 meses',
  ])('the built-in model does not guess: %s', async (question) => {
    expect(await judge(question, () => [], new BuiltInModel())).toBe('declined');
  });

  it('the built-in model says what it did not understand, and what it can be asked', async () => {
    const { texts } = await ask('¿Cuánto creció el importe de las ventas en 2024?', new BuiltInModel());
    expect(texts).toHaveLength(1);
    expect(texts[0]).toMatch(
      /^The tables cannot answer this\. No sé qué significa «creció»[^]*ventas: [^]*Importe \(€\)/,
    );
  });
});
