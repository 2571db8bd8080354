/** Images and documents that a message names by their address, on a web that the test serves itself. */
import type { ErrorBody, Message } from '@app/contract';
import { FakeDns } from '../support/fake-dns';
import { FakeModelServer } from '../support/fake-model-server';
import { startServer, type TestServer } from '../support/start-server';
import { serving, startRawWeb, startWeb, type Site, type TestWeb } from '../support/web-server';

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
/** Its second part says that there are eight pictures. */
const MOVES = Buffer.concat([
  PIXEL.subarray(0, 33),
  Buffer.from([0, 0, 0, 8]),
  Buffer.from('acTL'),
  Buffer.alloc(12),
  PIXEL.subarray(33),
]);
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const question = { type: 'text', text: '¿Qué se ve?' };

const SITE: Site = {
  '/pixel.png': { type: 'image/png', body: PIXEL },
  '/untold': { type: '', body: GIF },
  '/renamed.png': { type: 'image/jpeg', body: PIXEL },
  '/old.png': { status: 302, headers: { location: '/pixel.png' }, body: '' },
  '/inside.png': { status: 302, headers: { location: 'http://127.0.0.2:1/' }, body: '' },
  '/page': { body: '<p>Hola</p>' },
  '/lie.png': { type: 'image/png', body: '<svg onload="alert(1)"></svg>' },
  '/huge.png': { type: 'image/png', body: Buffer.concat([PIXEL, Buffer.alloc(2 * 1024 * 1024)]) },
  '/moves.png': { type: 'image/apng', body: MOVES },
  '/gone.png': { status: 410, body: 'gone' },
  '/broken.png': { status: 500, body: 'no' },
  '/private/a.png': { type: 'image/png', body: PIXEL },
  '/report.html': { body: '<main><h1>Permisos</h1><p>Cada persona tiene 27 días al año.</p></main>' },
  '/notes.txt': { type: 'text/plain', body: 'La clave es 4711.' },
  '/robots.txt': { type: 'text/plain', body: 'User-agent: *\nDisallow: /private/\n' },
};

describe('files that a message names by their address', () => {
  let web: TestWeb;
  let canary: TestWeb;
  let slow: TestWeb;
  let endless: TestWeb;
  let dns: FakeDns;
  let model: FakeModelServer;
  let server: TestServer;
  let origin: string;

  beforeAll(async () => {
    web = await startWeb(serving(SITE));
    canary = await startWeb();
    slow = await startRawWeb(() => undefined);
    endless = await startWeb(({ url }, response) => {
      if (url === '/robots.txt') return void response.writeHead(404).end();
      const more = setInterval(() => response.write('.'), 200);
      response.once('close', () => clearInterval(more));
    });
    dns = await FakeDns.start({ 'pictures.example': ['127.0.0.1'], 'rebound.example': ['127.0.0.1', '10.0.0.1'] });
    model = await FakeModelServer.start({
      models: ['sees', { id: 'blind', architecture: { input_modalities: ['text'] } }],
    });
    origin = `http://pictures.example:${web.port}`;
    server = await startServer({
      env: {
        OPENAI_BASE_URL: model.baseUrl,
        WEB_DNS: dns.server,
        WEB_ALLOW: [web, slow, endless].map(({ port }) => `127.0.0.1:${port}`).join(),
        MAX_WEB_MB: '1',
        WEB_SECONDS: '2',
      },
    });
  });
  afterAll(async () => {
    await server?.stop();
    await model?.stop();
    await Promise.all([web, canary, slow, endless].map((each) => each?.stop()));
    dns?.stop();
  });
  beforeEach(() => model.requests.splice(0));
  afterEach(() => expect(model.unasked).toBe(0));

  const image = (path: string) => ({
    type: 'image',
    source: { type: 'url', url: path.startsWith('/') ? origin + path : path },
  });
  const post = (messages: object[], more: object = {}, path = '/v1/messages') =>
    server.post(path, { messages, ...more });
  const user = (...content: object[]) => ({ role: 'user', content });
  const sent = async (...messages: object[]): Promise<any[]> => {
    model.says('Un punto.');
    const response = await post(messages);
    if (response.status !== 200) throw new Error(await response.text());
    expect((await response.json()) as Message).toMatchObject({ content: [{ text: 'Un punto.' }] });
    return model.requests.at(-1)!.messages;
  };
  const refusal = async (messages: object[], more?: object, path?: string) => {
    const response = await post(messages, more, path);
    const body = (await response.json()) as ErrorBody;
    expect([response.status, body.error.type]).toEqual([400, 'invalid_request_error']);
    expect(model.requests).toEqual([]);
    return body;
  };
  const asked = (path: string) => web.requests.filter(({ url }) => url === path).length;
  const dataOf = (bytes: Buffer, type: string) => ({
    type: 'image_url',
    image_url: { url: `data:${type};base64,${bytes.toString('base64')}` },
  });

  it.each<[string, () => object, Buffer, string]>([
    ['by source and url', () => image('/pixel.png'), PIXEL, 'image/png'],
    [
      'by source and uri',
      () => ({ type: 'image', source: { type: 'url', uri: `${origin}/pixel.png` } }),
      PIXEL,
      'image/png',
    ],
    ['by url alone', () => ({ type: 'image', url: `${origin}/pixel.png` }), PIXEL, 'image/png'],
    ['without a type', () => image('/untold'), GIF, 'image/gif'],
    ['of another type than it is said to be', () => image('/renamed.png'), PIXEL, 'image/png'],
    ['that moves', () => image('/moves.png'), MOVES, 'image/png'],
    ['that has moved', () => image('/old.png'), PIXEL, 'image/png'],
  ])('reach the model as images: %s (§block-image-url)', async (_, block, bytes, type) => {
    const [message] = await sent(user(block(), question));
    expect(message.content).toEqual([dataOf(bytes, type), question]);
  });

  it('are fetched once for a request, and for its stream as well (§block-image-url)', async () => {
    const before = asked('/pixel.png');
    model.says('Un punto.');
    const messages = [user(image('/pixel.png'), image('/pixel.png'), question)];
    const response = await post(messages, { stream: true });
    expect(await response.text()).toContain('message_stop');
    expect(model.requests[0]!.messages[0].content).toHaveLength(3);
    expect(asked('/pixel.png')).toBe(before + 1);
  });

  it.each<[string, string, RegExp]>([
    ['leads to a page', '/page', /unsupported_file: the address leads to text\/html/],
    ['is none, whatever it says', '/lie.png', /unsupported_file: /],
    ['is too large', '/huge.png', /egress_limit: .*MAX_WEB_MB/],
    ['is gone', '/gone.png', /gone: .*410/],
    ['cannot be had', '/broken.png', /http_error: .*500/],
    ['its site wants left alone', '/private/a.png', /egress_denied: .*robots\.txt/],
    ['leads on to a private one', '/inside.png', /egress_denied: /],
    ['is no web address', 'file:///etc/passwd', /egress_denied: /],
    ['has a user name and password', 'http://u:S3CR3T@pictures.example/a.png', /egress_denied: /],
    ['has a name with a private address', 'http://rebound.example/a.png', /egress_denied: /],
  ])('are refused by a token: one that %s (§block-url-refused)', async (_, path, words) => {
    for (const streamed of [false, true]) {
      const { detail } = await refusal([user(image(path), question)], { stream: streamed });
      expect(detail).toMatch(/^The image.* cannot be had: /);
      expect(detail).toMatch(words);
      expect(detail).not.toMatch(/S3CR3T|10\.0\.0\.1/);
    }
  });

  it('are refused when they take too long (§block-url-refused)', async () => {
    const { detail } = await refusal([user(image(`http://127.0.0.1:${slow.port}/a.png`), question)]);
    expect(detail).toMatch(/tool_timeout: .*WEB_SECONDS/);
  });

  it('are refused as soon as one of them cannot be had, and the others are let go (§block-url-refused)', async () => {
    const documents = ['a', 'b'].map((name) => ({
      type: 'document',
      source: { type: 'url', url: `http://127.0.0.1:${endless.port}/${name}` },
    }));
    // One after the other they would take URI_SECONDS twice, which is more than a test has.
    const { detail } = await refusal([user(image('/gone.png'), ...documents, question)]);
    expect(detail).toMatch(/^The image at .* cannot be had: gone/);
    expect(endless.requests.filter(({ url }) => url !== '/robots.txt').length).toBeLessThan(2);
  });

  it('are refused at addresses that are not public, nothing being connected, whatever they are (§block-url-refused)', async () => {
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]']) {
      const url = `http://${host}:${canary.port}/a.png`;
      for (const block of [image(url), { type: 'document', source: { type: 'url', url } }]) {
        expect((await refusal([user(block, question)])).detail).toMatch(/cannot be had: egress_denied: /);
      }
    }
    // The model server is nobody's picture.
    const { detail } = await refusal([user(image(`${model.baseUrl}/models`), question)]);
    expect(detail).toMatch(/egress_denied/);
    expect(canary.connections).toBe(0);
  });

  it('are so many of a message and no more (§block-url-refused)', async () => {
    const six = Array.from({ length: 6 }, (_, at) => image(`/pixel.png?${at}`));
    const before = web.connections;
    expect((await refusal([user(...six, question)])).detail).toMatch(/^limit_exceeded: at most 5 /);
    expect(web.connections).toBe(before);
  });

  it('are not fetched for a model that does not see, nor where a result names them', async () => {
    const before = asked('/pixel.png');
    const { error } = await refusal([user(image('/pixel.png'), question)], { model: 'blind' });
    expect(error.detail.code).toBe('INVALID_REQUEST_IMAGE_SUPPORT_ERROR');
    const call = { type: 'tool_use', id: 't1', name: 'mirar', input: {} };
    const result = { type: 'tool_result', tool_use_id: 't1', content: [image('/pixel.png')] };
    const messages = await sent(user(question), { role: 'assistant', content: [call] }, user(result));
    expect(messages.at(-1).content).toMatch(/\[an image/);
    expect(asked('/pixel.png')).toBe(before);
  });

  it('leave a note where they belong to an earlier turn and are gone since', async () => {
    const messages = await sent(
      user(image('/gone.png'), question),
      { role: 'assistant', content: 'Un lago.' },
      user(question),
    );
    expect(messages[0].content).toMatch(/^\[The image at .*\/gone\.png cannot be had: gone: .*\]/);
  });

  it('are looked at by validate and counted by count_tokens', async () => {
    expect((await post([user(image('/pixel.png'), question)], {}, '/v1/messages/validate')).status).toBe(200);
    const bad = await post([user(image('/page'), question)], {}, '/v1/messages/validate');
    expect([bad.status, await bad.json()]).toMatchObject([400, { valid: false }]);
    const counted = await post([user(image('/pixel.png'), question)], {}, '/v1/messages/count_tokens');
    expect(((await counted.json()) as { input_tokens: number }).input_tokens).toBeGreaterThan(500);
  });

  it.each([
    ['/report.html', /27 días al año/],
    ['/notes.txt', /La clave es 4711/],
  ])('are documents that are read: %s (§block-document-url)', async (path, words) => {
    const document = { type: 'document', title: 'Informe', source: { type: 'url', url: origin + path } };
    const [message] = await sent(user(document, question));
    expect(JSON.stringify(message.content)).toMatch(words);
    expect(JSON.stringify(message.content)).toContain('Informe');
  });

  it('are documents that are refused by a token where they cannot be had (§block-document-url §block-url-refused)', async () => {
    const document = { type: 'document', source: { type: 'url', url: `${origin}/gone.png` } };
    expect((await refusal([user(document, question)])).detail).toMatch(/^The document at .* cannot be had: gone/);
  });

  it('are not fetched where keys are needed, until it is switched on (§block-url-refused)', async () => {
    const closed = await startServer({ env: { PROFILE: 'server', OPENAI_BASE_URL: model.baseUrl } });
    try {
      const headers = { authorization: `Bearer ${/zgk_\S+/.exec(closed.output())![0]}` };
      const before = web.connections;
      const body = { messages: [user(image(`http://127.0.0.1:${web.port}/pixel.png`), question)] };
      const response = await closed.post('/v1/messages', body, { headers });
      expect([response.status, await response.json()]).toMatchObject([
        400,
        { detail: expect.stringContaining('WEB_ACCESS') },
      ]);
      expect(web.connections).toBe(before);
    } finally {
      await closed.stop();
    }
  });
});
