import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A model server that answers every question with the same statement, at once. */
export async function scriptedModel() {
  const state = { sql: '', url: '', stop: () => void server.close() };
  const frame = (body: object) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 0, model: 'm', ...body })}\n\n`;
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ data: [{ id: 'm' }] }));
      return;
    }
    request.resume().once('end', () => {
      response.setHeader('content-type', 'text/event-stream');
      const content = `\`\`\`sql\n${state.sql}\n\`\`\``;
      response.write(frame({ choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }] }));
      response.write(frame({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }));
      response.end('data: [DONE]\n\n');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return state;
}
