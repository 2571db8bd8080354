/** Documents that are ingested by their address, on a web that the test serves itself. */
import { makePdfWithLigatures } from '../support/documents/pdf-documents';
import { FakeDns } from '../support/fake-dns';
import { startServer, type TestServer } from '../support/start-server';
import { startWeb, type TestWeb } from '../support/web-server';

interface Served {
  body?: string | Buffer;
  type?: string;
  status?: number;
  headers?: Record<string, string>;
}

describe('ingesting by a URI', () => {
  let web: TestWeb;
  let canary: TestWeb;
  let dns: FakeDns;
  let server: TestServer;
  let origin: string;
  const site: Record<string, Served> = { '/robots.txt': { body: 'User-agent: *\nDisallow: /closed/' } };

  beforeAll(async () => {
    web = await startWeb(({ url = '/', headers: asked }, response) => {
      const { body = '', type = 'text/plain', status = 200, headers = {} } = site[url] ?? { status: 404 };
      const unchanged = headers.etag !== undefined && asked['if-none-match'] === headers.etag;
      response.writeHead(unchanged ? 304 : status, { 'content-type': type, ...headers }).end(unchanged ? '' : body);
    });
    canary = await startWeb();
    dns = await FakeDns.start({ 'lake.example': ['127.0.0.1'], 'inner.example': ['10.0.0.1'] });
    origin = `http://lake.example:${web.port}`;
    server = await startServer({
      env: { WEB_DNS: dns.server, WEB_ALLOW: `127.0.0.1:${web.port}`, MAX_FILE_MB: '1', URI_SECONDS: '5' },
    });
  });
  afterAll(async () => {
    await server?.stop();
    await web?.stop();
    await canary?.stop();
    dns?.stop();
  });

  const ingest = async (artifact: string, path: string, metadata?: object) => {
    const value = path.startsWith('/') ? origin + path : path;
    const response = await server.post('/v1/artifacts/ingest', { artifact, input: { type: 'uri', value }, metadata });
    return { status: response.status, body: (await response.json()) as any };
  };
  const passages = async (text: string) => {
    const body = { type: 'keywords_search', keywords: [text], context_filter: {} };
    const { data } = (await (await server.post('/v1/primitives/search', body)).json()) as any;
    return data.map((chunk: any) => chunk.text as string);
  };

  it.each<[string, string, Served, RegExp]>([
    ['page.php?id=3', 'page.php.html', { type: 'text/html', body: '<h1>Lake</h1><p>The zander lives at the bottom of the lake.</p>' }, /zander/],
    ['get/7', 'informe-año.pdf', { type: 'application/pdf', headers: { 'content-disposition': "attachment; filename=\"x.pdf\"; filename*=UTF-8''informe-a%C3%B1o.pdf" }, body: makePdfWithLigatures('BT /F1 12 Tf 56 700 Td (The pike eats the roach.) Tj ET') }, /pike/],
    ['get/8', 'informe año.txt', { type: 'text/plain', headers: { 'content-disposition': Buffer.from('attachment; filename="informe año.txt"').toString('latin1') }, body: 'The barbel digs in gravel.' }, /barbel/],
    [`d/${encodeURIComponent('𐐀'.repeat(100))}.html`, `${'𐐀'.repeat(87)}.html`, { type: 'text/html', body: '<p>The ruffe has spines.</p>' }, /ruffe/],
    ['latin.html', 'latin.html', { type: 'text/html; charset=windows-1251', body: Buffer.from('3c703ed1e8e320e6e8e2e5f220e220eee7e5f0e52e3c2f703e', 'hex') }, /Сиг/],
    ['koi.txt', 'koi.txt', { type: 'text/plain; charset=koi8-r', body: Buffer.from('eec1ccc9cd20d3d0c9d420d720cfdac5d2c520ccc5d4cfcd2e', 'hex') }, /Налим/],
    ['czech.csv', 'czech.csv', { type: 'text/csv; charset=iso-8859-2', body: Buffer.from('727962612c706fe865740ab974696b612c340a73756d65632c350a6b617072206f6265636efd2c360a', 'hex') }, /štika/],
    ['notes.md', 'notes.md', { type: 'text/plain', body: '# Notes\n\nThe perch swims in shoals.\n' }, /perch/],
    ['data', 'passwd.csv', { type: 'text/csv', headers: { 'content-disposition': 'attachment; filename="../../etc/passwd"' }, body: 'fish,count\nbream,4\n' }, /bream/],
    ['', 'lake.example.txt', { type: 'text/plain', body: 'The tench sleeps in winter.' }, /tench/],
  ])('reads /%s as %s', async (path, name, served, words) => {
    site[`/${path}`] = served;
    const { status, body } = await ingest(`doc-${path.replace(/\W/g, '').slice(0, 40)}x`, `/${path}`);
    expect([status, body.data?.[0]?.doc_metadata.file_name ?? body.detail]).toEqual([200, name]);
    const [found] = await passages(words.source);
    expect(found).toMatch(words);
  }); // prettier-ignore

  it('asks whether anything is new, and ingests only then', async () => {
    const times = () => web.requests.filter(({ url }) => url === '/levels').length;
    site['/levels'] = { body: 'The level is 4.17 metres.', headers: { etag: '"one"' } };
    expect((await ingest('levels', '/levels')).body.data).toHaveLength(1);
    expect((await ingest('levels', '/levels')).body.data).toEqual([]);
    expect(times()).toBe(2);
    expect(web.requests.at(-1)!.headers['if-none-match']).toBe('"one"');

    // Other metadata make another document of it, whatever its server says.
    expect((await ingest('levels', '/levels', { year: 2024 })).body.data).toMatchObject([
      { doc_metadata: { year: 2024 } },
    ]);
    site['/levels'] = { body: 'The level is 3.90 metres.', headers: { etag: '"two"' } };
    expect((await ingest('levels', '/levels', { year: 2024 })).body.data).toHaveLength(1);
    expect(await passages('level')).toEqual(['The level is 3.90 metres.']);
    site['/levels'].headers = {};
    expect((await ingest('levels', '/levels', { year: 2024 })).body.data).toEqual([]);
  });

  it.each([
    ['file:///etc/passwd', /^egress_denied/],
    ['/etc/passwd-is-no-page', /^gone/],
    ['s3://bucket/key', /^egress_denied/],
    ['data:text/plain,hello', /^egress_denied/],
    ['http://inner.example/', /^egress_denied.*WEB_ALLOW/],
    ['http://user:S3CR3T@lake.example/', /^egress_denied/],
    ['/canary', /^egress_denied/],
    ['/broken', /^http_error: .*503/],
    ['/large', /^egress_limit: .*MAX_FILE_MB/],
    ['/picture', /^unsupported_file/],
    ['/empty', /^unsupported_file/],
    ['/closed/x', /^egress_denied: .*robots/],
  ])('refuses %s with a word, and keeps nothing of it', async (path, words) => {
    site['/canary'] = { status: 302, headers: { location: `${canary.url}/` } };
    site['/broken'] = { status: 503, body: 'the error page that must not be found' };
    site['/large'] = { body: 'x'.repeat(1024 * 1024 + 1) };
    site['/picture'] = { type: 'image/png', body: Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex') };
    site['/empty'] = {};
    site['/closed/x'] = { body: 'closed' };
    const { status, body } = await ingest('refused', path);
    expect([status, body.detail]).toEqual([400, expect.stringMatching(words)]);
    expect(JSON.stringify(body)).not.toMatch(/10\.0\.0\.1|S3CR3T/);
    const { data } = (await (await server.fetch('/v1/artifacts/list')).json()) as any;
    expect(data.map(({ artifact }: any) => artifact)).not.toContain('refused');
    expect(canary.connections).toBe(0);
  });

  it('keeps what was there when the address fails', async () => {
    site['/stays'] = { body: 'The eel stays.' };
    await ingest('stays', '/stays');
    site['/stays'] = { status: 500 };
    expect((await ingest('stays', '/stays')).status).toBe(400);
    expect(await passages('eel')).toEqual(['The eel stays.']);
  });
});
