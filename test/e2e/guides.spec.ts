/** The commands and examples of the guides under docs/, against the server that they describe. */
import { messagesRequestSchema } from '@app/contract';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasCurl, readGuide, requestsIn, ROOT, runStep, stepsOf } from '../support/guide';
import { startServer, type TestServer } from '../support/start-server';
import { tellSkipped } from '../support/skipped';

describe('The guides', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.stop());

  if (!hasCurl) tellSkipped('the commands of docs/async.md: curl is not installed');
  (hasCurl ? it : it.skip)('have commands for async messages that answer what is printed below them', async () => {
    const steps = stepsOf(readGuide('docs/async.md')).filter(({ command }) => command.includes('curl'));
    expect(steps).toHaveLength(4);
    const [start, ...others] = steps;
    await runStep(start!, server.url);
    // Its stream ends when it is answered, as its status is shown.
    await (await server.fetch('/v1/messages/async/leave-1/stream')).text();
    for (const step of others) await runStep(step, server.url);
  });

  it.each(['docs/answering.md', 'docs/table-questions.md', 'docs/databases.md', 'docs/web.md'])(
    '%s has requests of fields that are known',
    (name) => {
      const requests = requestsIn(readGuide(name));
      expect(requests.length).toBeGreaterThan(0);
      // What is not known is left out by the schema.
      for (const request of requests) expect(messagesRequestSchema.parse(request)).toMatchObject(request);
    },
  );

  it('have a question over a table that is answered by computing', async () => {
    const [request] = requestsIn(readGuide('docs/table-questions.md'));
    const value = readFileSync(join(ROOT, 'test/fixtures/tables/orders.csv'), 'base64');
    const metadata = { file_name: 'orders.csv' };
    const file = { artifact: 'orders', collection: 'sales', input: { type: 'file', value }, metadata };
    expect((await server.post('/v1/artifacts/ingest', file)).status).toBe(200);
    const { content, stop_reason } = (await (await server.post('/v1/messages', request)).json()) as any;
    expect(stop_reason).toBe('end_turn');
    expect(content.map(({ type }: any) => type)).toEqual(['tool_use', 'tool_result', 'text']);
    expect(content[1].content[0].text).toMatch(/^```sql\nSELECT country, sum\(amount\)[^]*2024-01-01/);
  });

  it('have a question over documents that is answered from those that it lets through', async () => {
    const [request] = requestsIn(readGuide('docs/answering.md'));
    const contract = (artifact: string, year: number, months: string) => ({
      ...{ artifact, collection: 'legal', metadata: { year } },
      input: { type: 'text', value: `The notice period is ${months} months to the end of a quarter.` },
    });
    for (const body of [contract('contract_7', 2025, 'three'), contract('contract_8', 2019, 'nine')]) {
      expect((await server.post('/v1/artifacts/ingest', body)).status).toBe(200);
    }
    const { content } = (await (await server.post('/v1/messages', request)).json()) as any;
    expect(content[0]).toMatchObject({ type: 'tool_use', name: 'contracts' });
    expect(content.at(-1).text).toContain('three months');
    expect(JSON.stringify(content)).not.toContain('nine months');
  });
});
