/** A server that is started before its model server, as it happens when one command starts both. */
import { eventually } from '../support/eventually';
import { FakeModelServer } from '../support/fake-model-server';
import { startServer } from '../support/start-server';

const QUESTION = { messages: [{ role: 'user', content: 'Hi' }] };

it('starts, says what is missing, and answers once the model server has come', async () => {
  const model = await FakeModelServer.start({ models: ['alpha'], absent: true });
  const server = await startServer({ env: { OPENAI_BASE_URL: model.baseUrl } });
  try {
    expect(server.output()).toMatch(/ {2}model {4}none yet\. The model server cannot be reached: .*OPENAI_BASE_URL/);
    expect((await server.fetch('/health/ready')).status).toBe(200);
    const refused = await server.post('/v1/messages', QUESTION);
    expect({ status: refused.status, body: await refused.json() }).toMatchObject({
      status: 529,
      body: { error: { type: 'overloaded_error' } },
    });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await server.post('/v1/messages', { ...QUESTION, model: 'builtin' })).status).toBe(200);

    model.says('Here I am.').arrives();
    const listed = async () => ((await (await server.fetch('/v1/models')).json()) as any).data[0].id;
    await eventually(listed, (id) => id === 'alpha');
    expect(await (await server.post('/v1/messages', QUESTION)).json()).toMatchObject({
      model: 'alpha',
      content: [{ type: 'text', text: 'Here I am.' }],
    });
  } finally {
    await server.stop();
    await model.stop();
  }
});
