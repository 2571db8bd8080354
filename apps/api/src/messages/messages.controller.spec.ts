/** What is left of a stream that went wrong by a mistake of ours: a typed error for the caller, the rule for the log. */
import type { Caller } from '@app/access';
import { newRequestId, type MessagesRequest, type StreamEvent } from '@app/contract';
import { StreamRuleError, type MessagesService } from '@app/messages';
import { createLogger, type Config } from '@app/platform';
import fastify, { type FastifyInstance } from 'fastify';
import type { AddressInfo } from 'node:net';
import { Answers } from '../http/answers';
import { StreamClock } from '../http/stream-clock';
import { MessagesController } from './messages.controller';

const CALLER: Caller = { organisationId: 'o', organisation: 'default', scopes: ['read'] };
const START = { type: 'message_start', message: { id: 'msg_1', content: [] } } as unknown as StreamEvent;

describe('a stream that breaks a rule', () => {
  let server: FastifyInstance;
  afterEach(() => server.close());

  it('ends in a typed error, and leaves the rule and the request id in the log (§stream-rules)', async () => {
    const lines: string[] = [];
    const config = { http: { maxStreamsPerKey: 2, stalledReaderMs: 30_000 } } as Config;
    const logger = createLogger({ logging: { level: 'info' } }, { write: (line: string) => void lines.push(line) });
    const messages = {
      async *answer() {
        yield START;
        throw new StreamRuleError('a block is closed once');
      },
    } as unknown as MessagesService;
    const controller = new MessagesController(messages, new Answers(config), new StreamClock(), config, logger);
    server = fastify({ genReqId: newRequestId });
    server.get('/', (_, reply) => controller.create(CALLER, { stream: true } as MessagesRequest, reply));
    await server.listen({ host: '127.0.0.1', port: 0 });

    const response = await fetch(`http://127.0.0.1:${(server.server.address() as AddressInfo).port}/`);
    const text = await response.text();
    const error = JSON.parse(text.split('event: error\ndata: ')[1]!);
    expect(error).toMatchObject({ error: { type: 'api_error', message: 'Internal error' } });
    expect(text).not.toContain('closed once');
    const line = lines.map((each) => JSON.parse(each)).find(({ level }) => level === 'error');
    expect(line).toMatchObject({ requestId: error.request_id });
    expect(JSON.stringify(line)).toContain('a block is closed once');
  });
});
