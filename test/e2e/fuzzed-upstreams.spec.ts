/**
 * Some of the cases of `test/fuzz`, through everything: a model server on a socket, the real server, and its bytes.
 *
 * `FUZZ_SEED=7 FUZZ_REQUESTS=1 npx jest test/e2e/fuzzed` asks one of them again.
 */
import type { Message } from '@app/contract';
import { caseOf, same } from '../fuzz/fuzzed-case';
import { foldByOfficialClient } from '../fuzz/official-client';
import { Random } from '../fuzz/random';
import { SERVER_TOOL } from '../fuzz/requests';
import { foldWellFormed, type Folded } from '../fuzz/well-formed';
import { FakeModelServer } from '../support/fake-model-server';
import { startServer, type TestServer } from '../support/start-server';

const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 1_000_000_000);
const requests = Number(process.env.FUZZ_REQUESTS ?? 300);

const SEARCH = {
  name: SERVER_TOOL,
  type: 'semantic_search_v1',
  context: [{ type: 'ingested_artifact', context_filter: { collection: 'nothing' } }],
};

describe('A model server that says anything', () => {
  let model: FakeModelServer;
  let server: TestServer;
  beforeAll(async () => {
    model = await FakeModelServer.start({ dimensions: 32 });
    const embeddings = { EMBEDDINGS_BASE_URL: model.baseUrl, EMBEDDINGS_MODEL: 'fake-embedder' };
    server = await startServer({ env: { OPENAI_BASE_URL: model.baseUrl, ...embeddings } });
  });
  afterAll(async () => {
    await server?.stop();
    await model?.stop();
  });

  it(`is understood, or is told of as a typed error, ${requests} times from seed ${seed} on`, async () => {
    model.always(() => ({ text: ['That is all.'] }));
    const failures: string[] = [];
    for (let at = 0; at < requests && failures.length < 3; at++) {
      await ask(seed + at).catch((error: Error) => failures.push(`FUZZ_SEED=${seed + at} ${error.stack}`));
    }
    expect(failures.join('\n\n')).toBe('');
    expect(server.output()).not.toContain('broke the rule');
  }, 300_000);

  async function ask(oneSeed: number): Promise<void> {
    const random = new Random(oneSeed);
    const { body, anthropic, arriving } = caseOf(random, SEARCH);
    const dialect = anthropic ? 'anthropic' : 'native';
    const headers: Record<string, string> = anthropic ? { 'anthropic-version': '2023-06-01' } : {};
    const post = async (stream: boolean) => {
      model.forget();
      for (const { bytes, breaks } of arriving) model.sends(random.cut(bytes), 'text/event-stream', { breaks });
      const response = await server.post('/v1/messages', { ...body, stream }, { headers });
      const isStream = response.headers.get('content-type')!.startsWith('text/event-stream');
      expect(isStream).toBe(stream && response.status === 200);
      return isStream ? { raw: await response.text() } : { message: (await response.json()) as Message };
    };
    const whole = foldedOf((await post(false)).message!);
    if (whole.error) expect(whole.error.message).not.toBe('Internal error');
    const { raw, message } = await post(true);
    same('the stream', raw === undefined ? foldedOf(message!) : foldWellFormed(raw, dialect), 'the message', whole);
    if (raw === undefined) return;
    const official = await foldByOfficialClient(random.cut(Buffer.from(raw)));
    same('the stream folded by the official client', official, 'the message', whole, { cited: false });
  }
});

function foldedOf(body: Message & { error?: Folded['error'] }): Folded {
  if (body.error) return { content: [], error: body.error };
  const { content, stop_reason, stop_sequence, usage } = body;
  return { content, stopReason: stop_reason, stopSequence: stop_sequence, usage: usage as never };
}
