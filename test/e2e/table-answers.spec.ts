/** Questions over tables, from the file to the answer, on the real server. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../support/eventually';
import { FakeModelServer } from '../support/fake-model-server';
import { readStream } from '../support/read-stream';
import { startServer, type TestServer } from '../support/start-server';
import { total, ventas } from '../support/table-questions';

const FIXTURES = join(__dirname, '../fixtures/tables');

async function ingest(server: TestServer, collection: string, ...names: string[]): Promise<void> {
  for (const name of names) {
    const response = await server.post('/v1/artifacts/ingest', {
      artifact: name,
      collection,
      input: { type: 'file', value: readFileSync(join(FIXTURES, `${name}.csv`)).toString('base64') },
      metadata: { file_name: `${name}.csv` },
    });
    if (response.status !== 200) throw new Error(await response.text());
  }
}

const context = (collection: string, artifacts?: string[]) => ({
  type: 'ingested_artifact',
  context_filter: { collection, ...(artifacts && { artifacts }) },
});
const TOOL = { name: 'hojas', type: 'tabular_analysis_v1' };
const textsOf = (content: any[]): string[] => content.flatMap((block) => (block.type === 'text' ? [block.text] : []));

describe('questions over tables', () => {
  describe('with the built-in model', () => {
    let server: TestServer;

    beforeAll(async () => {
      server = await startServer();
      await ingest(server, 'tiendas', 'ventas');
      await ingest(server, 'todo', 'ventas', 'orders', 'employees', 'inventario');
    });
    afterAll(() => server?.stop());

    const direct = async (body: object) => {
      const response = await server.post('/v1/tools/tabular-data-analysis', body);
      return { status: response.status, body: (await response.json()) as any };
    };
    const sum = total(ventas(), 'Importe (€)').toFixed(2);

    it('are answered by POST /v1/tools/tabular-data-analysis with the SQL, the rows and a file', async () => {
      const query = '¿Cuál es el importe total de las ventas por región?';
      const { status, body } = await direct({ query, context_filter: { collection: 'todo' } });
      expect(status).toBe(200);
      expect(body.is_error).toBe(false);
      expect(body.content.map(({ type }: any) => type)).toEqual(['text', 'text', 'text', 'binary']);
      const [statement, warning, rows] = textsOf(body.content);
      expect(warning).toBe('Warning: Se cuentan filas con cualquier valor de ventas.Estado.');
      expect(statement).toMatch(/^```sql\nSELECT región, sum\(importe\)[^]*\n```\n4 rows\.$/);
      const parsed = rows!.split('\n').map((line) => JSON.parse(line));
      for (const { región: region, ...rest } of parsed) {
        const right = total(
          ventas().filter((row) => row['Región'] === region),
          'Importe (€)',
        );
        expect(Number(Object.values(rest)[0])).toBeCloseTo(right, 9);
      }
      const file = Buffer.from(body.content[3].data, 'base64').toString();
      expect(file.split('\r\n')).toHaveLength(6);
    });

    it('draw a chart where one is asked for', async () => {
      const query = 'Gráfico de barras del importe total de las ventas por región';
      const { body } = await direct({ query, context_filter: { collection: 'tiendas' } });
      const [svg] = body.content.filter(({ mime_type }: any) => mime_type === 'image/svg+xml');
      expect(Buffer.from(svg.data, 'base64').toString()).toMatch(/^<svg [^]*Norte/);
    });

    it.each([
      [
        'an artifact that is not there',
        { collection: 'tiendas', artifacts: ['nada'] },
        true,
        /artifact=nada is not initialized/,
      ],
      ['a collection that is not there', { collection: 'nada' }, false, /^No tables are available\.$/],
      [
        'what the tables do not say',
        { collection: 'tiendas' },
        false,
        /^The tables cannot answer this\. No sé qué significa «costes»/,
      ],
    ])('say so of %s', async (_, context_filter, is_error, words) => {
      const { status, body } = await direct({ query: '¿Cuál es el total de costes?', context_filter });
      expect([status, body.is_error]).toEqual([200, is_error]);
      expect(textsOf(body.content)[0]).toMatch(words);
    });

    it('are refused without a question', async () => {
      expect((await direct({ context_filter: {} })).status).toBe(400);
      expect((await direct({ query: '', context_filter: {} })).status).toBe(400);
    });

    it('keep to the organisation', async () => {
      const response = await server.post(
        '/v1/tools/tabular-data-analysis',
        { query: '¿Cuántas ventas hay?', context_filter: { collection: 'tiendas' } },
        { headers: { 'content-type': 'application/json', 'x-org': 'other' } },
      );
      expect(JSON.stringify(await response.json())).not.toContain('150');
    });

    const message = (more: object = {}) => ({
      tools: [TOOL],
      tool_context: [context('tiendas')],
      messages: [{ role: 'user', content: '¿Cuál es el importe total de las ventas?' }],
      ...more,
    });

    it('are answered in a message, whole and streamed alike, with files for those who know them (§tabular-result)', async () => {
      const plain: any = await (await server.post('/v1/messages', message())).json();
      expect(plain.content.map(({ type }: any) => type)).toEqual(['tool_use', 'tool_result', 'text']);
      expect(plain.content[0]).toMatchObject({ name: 'hojas' });
      expect(plain.content[1].content.every(({ type }: any) => type === 'text')).toBe(true);
      expect(plain.content[2].text).toContain(sum);
      expect(plain.content[2].text).toContain('SELECT sum(importe)');

      const extended = message({ system: { extensions: ['zylon'] }, stream: true });
      const { content } = await readStream(await server.post('/v1/messages', extended));
      const result: any = content.find(({ type }) => type === 'tool_result');
      expect(result.content.map(({ type }: any) => type)).toEqual(['text', 'text', 'text', 'binary']);
      expect((content.at(-1) as any).text).toBe(plain.content[2].text);
    });

    it('go on from an answer that is sent back with its files', async () => {
      const first: any = await (
        await server.post('/v1/messages', message({ system: { extensions: ['zylon'] } }))
      ).json();
      const messages = [
        ...message().messages,
        { role: 'assistant', content: first.content },
        { role: 'user', content: '¿Cuántas ventas hay en la región Norte?' },
      ];
      const next: any = await (await server.post('/v1/messages', message({ messages }))).json();
      const count = ventas().filter((row) => row['Región'] === 'Norte').length;
      expect(next.content.at(-1).text).toContain(`n: ${count}`);
    });

    describe('check their context (messages-api §5.2)', () => {
      const eager = { tool_choice: { type: 'auto', validation_mode: 'eager' } };
      const post = async (more: object) => {
        const response = await server.post('/v1/messages', message(more));
        return { status: response.status, body: (await response.json()) as any };
      };

      it.each([
        ['none', [], 'Tabular data analysis tool requires an ingested artifact context.'],
        ['two', [context('tiendas'), context('todo')], 'Only one ingested context is supported.'],
      ])('which may not be %s', async (_, tool_context, words) => {
        const { status, body } = await post({ tool_context });
        expect([status, body.detail]).toEqual([400, words]);
      });

      it('eagerly: an artifact that is not there is 400 before the model runs', async () => {
        const { status, body } = await post({ tool_context: [context('tiendas', ['nada'])], ...eager });
        expect(status).toBe(400);
        expect(body.detail).toContain('artifact=nada is not initialized');
        expect((await post({ tool_context: [context('tiendas', ['ventas'])], ...eager })).status).toBe(200);
        expect((await post({ tool_context: [context('nada')], ...eager })).status).toBe(200);
      });

      it('lazily: it is the result of the call, and the answer goes on', async () => {
        const { status, body } = await post({ tool_context: [context('tiendas', ['nada'])] });
        expect(status).toBe(200);
        expect(body.content[1]).toMatchObject({ type: 'tool_result', is_error: true });
        expect(body.stop_reason).toBe('end_turn');
      });
    });
  });

  describe('with a model server', () => {
    let model: FakeModelServer;
    let server: TestServer;

    beforeAll(async () => {
      model = await FakeModelServer.start({ models: ['big-model'] });
      server = await startServer({ env: { OPENAI_BASE_URL: model.baseUrl, SQL_SECONDS: '2' } });
      await ingest(server, 'tiendas', 'ventas');
    });
    afterAll(async () => {
      await server?.stop();
      await model?.stop();
    });
    beforeEach(() => model.requests.splice(0));
    afterEach(() => expect(model.unasked).toBe(0));

    const ask = async (): Promise<any> => {
      const response = await server.post('/v1/messages', {
        tools: [TOOL],
        tool_context: [context('tiendas')],
        messages: [{ role: 'user', content: '¿Cuánto vendimos en total?' }],
      });
      return response.json();
    };
    const sql = (text: string) => `\`\`\`sql\n${text}\n\`\`\``;

    it('have the SQL written by it from a description of the tables that is marked as data', async () => {
      model.calls('hojas', { query: '¿Cuánto vendimos en total?' });
      model.says(sql('SELECT sum(importe) AS total FROM ventas')).says('Un total de 1.');
      const { content, usage } = await ask();
      expect(textsOf(content[1].content)[1]).toBe(`{"total":"${total(ventas(), 'Importe (€)').toFixed(2)}"}`);
      const [, inner, last] = model.requests;
      expect(inner!.tools ?? []).toEqual([]);
      const said = inner!.messages.at(-1).content;
      expect(said).toMatch(
        /<tool_data>\nTABLE ventas -- 150 rows, from "ventas\.csv"[^]*región VARCHAR[^]*<\/tool_data>/,
      );
      expect(JSON.stringify(inner!.messages[0])).not.toContain('Norte');
      expect(JSON.stringify(last!.messages)).toContain('SELECT sum(importe)');
      expect(usage.input_tokens).toBeGreaterThan(0);
    });

    it.each([
      ["COPY ventas TO '/tmp/x.csv'", 'sql_rejected: COPY'],
      ["SELECT * FROM read_csv('/etc/passwd')", 'sql_rejected: read_csv'],
      ['SELECT 1; DROP VIEW ventas', 'sql_rejected: ;'],
      ["ATTACH '/tmp/x.db'", 'sql_rejected: ATTACH'],
      ["SET memory_limit = '10GB'", 'sql_rejected: SET'],
    ])('refuse %s by its token, after two repairs', async (statement, words) => {
      model.calls('hojas', { query: 'x' });
      for (let times = 0; times < 3; times++) model.says(sql(statement));
      model.says('No puedo.');
      const { content } = await ask();
      expect(content[1]).toMatchObject({ is_error: true });
      expect(textsOf(content[1].content)[0]).toContain(words);
      expect(model.requests).toHaveLength(5);
    });

    it('stop a query that does not end, and answer others meanwhile', async () => {
      model.calls('hojas', { query: 'x' });
      model
        .says(sql('SELECT count(*) FROM range(1000000) a, range(1000000) b WHERE a.range * b.range = 7'))
        .says('Tarda.');
      const answer = ask();
      const others = await Promise.all([server.fetch('/v1/models'), server.fetch('/health')]);
      expect(others.map(({ status }) => status)).toEqual([200, 200]);
      const { content } = await answer;
      expect(content[1]).toMatchObject({ is_error: true });
      expect(textsOf(content[1].content)[0]).toMatch(/^sql_timeout: .*SQL_SECONDS/);
    });

    it('are answered before the server stops, where nobody else waits for an answer', async () => {
      const stopping = await startServer({ env: { OPENAI_BASE_URL: model.baseUrl } });
      let goOn = () => {};
      const until = new Promise<void>((resolve) => (goOn = resolve));
      let exitCode: Promise<number | null> | undefined;
      try {
        await ingest(stopping, 'tiendas', 'ventas');
        model.replies({ text: ['```sql\nSELECT count(*) AS n', ' FROM ventas\n```'], until });
        const body = { query: '¿Cuántas ventas hay?', context_filter: { collection: 'tiendas' } };
        const answer = stopping.post('/v1/tools/tabular-data-analysis', body);
        await model.asked(1);
        exitCode = stopping.stop();
        await eventually(() => stopping.output().includes('"Stopping"'));
        goOn();
        const response = await answer;
        expect([response.status, ((await response.json()) as any).is_error]).toEqual([200, false]);
      } finally {
        expect(await (exitCode ?? stopping.stop())).toBe(0);
      }
    });
  });
});
