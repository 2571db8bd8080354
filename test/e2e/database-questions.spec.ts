/**
 * Sixty questions, in English and Spanish, over a schema as unkind as real ones are, on the real server: the tables that
 * each needs are on the card, SQL that a person wrote comes back as the right rows, and the built-in model is right or
 * says that it is not sure.
 */
import { estimateTokens } from '../../libs/models/src/tokens/estimate-tokens';
import { FakeModelServer } from '../support/fake-model-server';
import { createNastyDatabase, createReader, SCHEMAS } from '../support/nasty-database';
import { isRight, QUESTIONS, type NastyQuestion } from '../support/nasty-questions';
import { readCsv } from '../support/read-csv';
import { startPostgres, type PostgresServer } from '../support/postgres-server';
import { startServer, type TestServer } from '../support/start-server';

const CARD_TOKENS = 6000;
const DECLINED = 'The tables cannot answer this.';
const NOTHING = 'Warning: The result is NULL';
/** Of the sixty, by the built-in model; it declines the others. The goal is 42. */
const RIGHT_AT_LEAST = 48;

interface Answered {
  readonly question: NastyQuestion;
  readonly is_error: boolean;
  readonly text: string;
  /** Absent where no statement was run. */
  readonly rows?: readonly (readonly unknown[])[];
}

describe('questions over a nasty schema', () => {
  let postgres: PostgresServer;
  let fake: FakeModelServer;

  beforeAll(async () => {
    postgres = await startPostgres('18');
    const client = await postgres.connect();
    await createNastyDatabase(client);
    await createReader(client, 'reader');
    await client.end();
    fake = await FakeModelServer.start();
  });
  afterAll(async () => {
    await fake?.stop();
    await postgres?.stop();
  });

  const serve = (env: Record<string, string> = {}) =>
    startServer({
      env: { DATABASE_QUERY: 'on', DATABASE_ALLOW: `127.0.0.1:${postgres.port}`, ...env },
    });

  async function ask(server: TestServer, question: NastyQuestion): Promise<Answered> {
    const response = await server.post('/v1/tools/database-query', {
      query: question.question,
      artifacts: [
        {
          type: 'sql_database',
          connection_string: `postgresql://reader:x@127.0.0.1:${postgres.port}/postgres`,
          schemas: SCHEMAS,
        },
      ],
    });
    const { content, is_error } = (await response.json()) as any;
    const texts: string[] = content.flatMap((block: any) => (block.type === 'text' ? [block.text] : []));
    const ran = texts[0]!.startsWith('```sql');
    const csv = content.some(({ type }: any) => type === 'binary') ? texts.at(-1)! : '';
    return { question, is_error, text: texts.join('\n'), ...(ran && { rows: readCsv(csv).slice(1) }) };
  }

  async function askAll(server: TestServer): Promise<Answered[]> {
    const answers: Answered[] = [];
    for (const question of QUESTIONS) answers.push(await ask(server, question));
    return answers;
  }

  const wrong = (answers: readonly Answered[]) =>
    answers
      .filter(({ question, rows }) => rows === undefined || !isRight(rows, question.answer()))
      .map(({ question, text }) => `${question.question} ${text.slice(0, 400)}`);

  describe('with a model that writes what a person wrote', () => {
    let server: TestServer;
    let answers: Answered[];
    let prompts: string[];

    beforeAll(async () => {
      server = await serve({ OPENAI_BASE_URL: fake.baseUrl, SQL_CARD_TOKENS: String(CARD_TOKENS) });
      fake.always(({ messages }) => {
        const said = String(messages.at(-1).content);
        const asked = QUESTIONS.find(({ question }) => said.endsWith(question))!;
        return { text: [`\`\`\`sql\n${asked.sql}\n\`\`\``] };
      });
      answers = await askAll(server);
      prompts = fake.requests.map(({ messages }) => String(messages.at(-1).content));
    }, 300_000);
    afterAll(() => server?.stop());

    it('all come back right', () => {
      expect(wrong(answers)).toEqual([]);
    });

    it('all find the tables that they need on a card of at most 6,000 tokens', () => {
      expect(prompts).toHaveLength(QUESTIONS.length);
      const missing = QUESTIONS.flatMap(({ question, needs }, i) => {
        const card = /<tool_data>\n([^]*?)\n<\/tool_data>\n\nThe question:/.exec(prompts[i]!)![1]!;
        expect(estimateTokens(card)).toBeLessThanOrEqual(CARD_TOKENS);
        const absent = needs.filter((name) => !new RegExp(`^(?:TABLE|VIEW) ${name}(?: --|$)`, 'm').test(card));
        return absent.length > 0 ? [`${question} ${absent.join(', ')}`] : [];
      });
      expect(missing).toEqual([]);
    });

    it('see what the schema says of itself', () => {
      const card = prompts[QUESTIONS.findIndex(({ question }) => question.includes('Málaga'))]!;
      for (const line of [
        /^TABLE "Customer" -- about 240 rows, comment: "People and companies that buy from us\. Clientes\."$/,
        /^TABLE archive\."order" -- .*comment: "Orders before 2023"$/,
        /^ {2}"Segment" customer_segment: .*values "retail" \(149\), "wholesale" \(41\), "public sector" \(50\)$/,
        /^ {2}"Profile" jsonb: JSON keys .*"address\.province"/,
        /^ {2}"City" text: values .*"Málaga" \(\d+\)/,
        /^ {2}"desc" text: comment: "Observaciones del cliente"/,
        /^ {2}\("customerId"\) refers to "Customer" \("CustomerId"\)$/,
        /^VIEW v_order_amount\b/,
        /^FUNCTION net_price\(gross numeric, rate numeric\) returns numeric -- a query may call it; comment: "Price without VAT"$/,
        /^PROCEDURE close_month\(.*-- cannot be called in a query/,
      ]) {
        expect(card).toMatch(new RegExp(line.source, 'm'));
      }
    });
  });

  describe('with the built-in model', () => {
    let server: TestServer;
    let answers: Answered[];

    beforeAll(async () => {
      server = await serve();
      answers = await askAll(server);
    }, 300_000);
    afterAll(() => server?.stop());

    it('are answered right, or not at all; those that are not say so', () => {
      const said = answers.filter(({ rows, text }) => rows !== undefined && !text.includes(NOTHING));
      expect(wrong(said)).toEqual([]);
      const declined = answers.filter(({ rows }) => rows === undefined);
      expect(declined.filter(({ is_error, text }) => is_error || !text.startsWith(DECLINED))).toEqual([]);
    });

    it('are answered right as often as before', () => {
      const right = answers.filter(({ question, rows }) => rows && isRight(rows, question.answer()));
      expect(right.length).toBeGreaterThanOrEqual(RIGHT_AT_LEAST);
    });
  });
});
