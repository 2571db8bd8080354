/** What cannot be taken in is refused with a sentence that helps, and nothing is stored, changed or lost. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ErrorBody, IngestedDocument } from '@app/contract';
import { makePdf } from '../support/documents/pdf-documents';
import { eventually } from '../support/eventually';
import { startServer, type TestServer } from '../support/start-server';

const MiB = 1024 * 1024;
const sample = (name: string) => readFile(join(__dirname, '../../samples', name));

describe('POST /v1/artifacts/ingest with what cannot be taken in', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startServer({ env: { MAX_FILE_MB: '1' } });
    expect((await ingest({ type: 'text', value: 'The old text, about otters.' })).status).toBe(200);
  });
  afterAll(() => server?.stop());

  const ingest = (input: unknown, more: object = {}) =>
    server.post('/v1/artifacts/ingest', { artifact: 'kept', collection: 'docs', input, ...more });
  const file = (bytes: Buffer | string, name: string, more: object = {}) =>
    ingest(
      { type: 'file', value: typeof bytes === 'string' ? bytes : bytes.toString('base64') },
      { metadata: { file_name: name, ...more } },
    );
  const refusal = async (response: Response) => {
    const body = (await response.json()) as ErrorBody;
    return { status: response.status, said: body.error.message, id: body.request_id };
  };
  const search = async (text: string, headers: Record<string, string> = {}) => {
    const body = { type: 'hybrid_search', text, keywords: [], context_filter: { collection: 'docs' } };
    return (
      (await (await server.post('/v1/primitives/search', body, { headers })).json()) as { data: { text: string }[] }
    ).data;
  };

  // Each attempt is made under the name of a document that is there: it must still be there afterwards, unchanged.
  afterEach(async () => {
    const list = (await (await server.fetch('/v1/artifacts/list?collection=docs')).json()) as {
      data: IngestedDocument[];
    };
    expect(list.data.map(({ artifact }) => artifact)).toEqual(['kept']);
    expect((await search('otters')).map(({ text }) => text)).toEqual(['The old text, about otters.']);
  });

  it.each<[string, () => Promise<Response> | Response, number, RegExp]>([
    ['base64 that is none', () => file('not base64!', 'a.txt'), 400, /base64/],
    ['base64 without its padding', () => file('SG9sYQ', 'a.txt'), 400, /base64/],
    ['a file of no bytes', () => file('', 'a.pdf'), 400, /empty/],
    ['a text of white space', () => ingest({ type: 'text', value: ' \n\t ' }), 400, /empty/],
    ['a file one byte over the limit', () => file(Buffer.alloc(MiB + 1, 'a '), 'a.txt'), 413, /MAX_FILE_MB/],
    [
      'a PDF behind a password',
      async () => file(await makePdf((pdf) => pdf.text('Secret'), { userPassword: 'x' }), 'a.pdf'),
      400,
      /password|encrypted/,
    ],
    [
      'a PDF without a text layer',
      async () => file(await makePdf((pdf) => pdf.rect(9, 9, 99, 99).fill()), 'a.pdf'),
      400,
      /no text layer/,
    ],
    ['half a PDF', async () => file((await sample('employee-handbook.pdf')).subarray(0, 4000), 'a.pdf'), 400, /PDF/],
    [
      'half a Word document',
      async () => file((await sample('contrato-suministro.docx')).subarray(0, 4000), 'a.docx'),
      400,
      /unsafe_file|unsupported_file/,
    ],
    [
      'a picture that is called a PDF',
      () =>
        file(
          Buffer.from(
            'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
            'base64',
          ),
          'a.pdf',
        ),
      400,
      /unsupported_file/,
    ],
    [
      'a text that is called a Word document',
      () => file(Buffer.from('Just words.'), 'a.docx'),
      400,
      /unsupported_file/,
    ],
    [
      'a program',
      () => file(Buffer.concat([Buffer.from('\x7fELF\x02\x01\x01'), Buffer.alloc(4000, 1)]), 'a.txt'),
      400,
      /unsupported_file/,
    ],
    ['50,000 nested tags', () => file(Buffer.from('<div>'.repeat(50_000)), 'a.html'), 400, /unsafe_file/],
    ['a text with a NUL', () => ingest({ type: 'text', value: 'a\0b' }), 400, /NUL/i],
    ['a lone surrogate', () => ingest({ type: 'text', value: 'a\ud800b' }), 400, /surrogate/i],
    [
      'a URI that is none of the web',
      () => ingest({ type: 'uri', value: 'file:///etc/passwd' }),
      400,
      /^egress_denied/,
    ],
    ['an unknown kind of input', () => ingest({ type: 'ftp', value: 'x' }), 400, /input/],
    ['no input', () => ingest(undefined), 400, /input/],
    [
      'a metadata key of the server',
      () => ingest({ type: 'text', value: 'x' }, { metadata: { artifact_id: 'other' } }),
      400,
      /artifact_id/,
    ],
    [
      'a metadata key of tenants',
      () => ingest({ type: 'text', value: 'x' }, { metadata: { org_id: 'rival' } }),
      400,
      /org_id/,
    ],
    [
      'a file name that is a path',
      () => ingest({ type: 'text', value: 'x' }, { metadata: { file_name: '../../etc/passwd' } }),
      400,
      /file_name|file name/,
    ],
    [
      'an artifact that is a path',
      () => ingest({ type: 'text', value: 'x' }, { artifact: '../kept' }),
      400,
      /artifact/,
    ],
    ['an empty collection name', () => ingest({ type: 'text', value: 'x' }, { collection: '' }), 400, /collection/],
  ])('refuses %s', async (_, send, status, said) => {
    const answer = await refusal(await send());
    expect(answer).toEqual({ status, said: expect.stringMatching(said), id: expect.stringMatching(/^req_/) });
    expect(answer.said).not.toMatch(/\/(home|root|tmp|usr|work)\/|node_modules|at \w+ \(/);
  });

  it('takes a file of exactly the limit', async () => {
    const words = 'a word and another\n'.repeat(Math.ceil(MiB / 19)).slice(0, MiB);
    expect(Buffer.byteLength(words)).toBe(MiB);
    // Embedding a mebibyte takes minutes; that it is read, not refused, shows once it can be cancelled by a delete.
    const taken = server.post('/v1/artifacts/ingest', {
      artifact: 'large',
      collection: 'docs',
      input: { type: 'text', value: words },
    });
    await eventually(
      () => server.post('/v1/artifacts/delete', { collection: 'docs', artifact: 'large' }),
      ({ status }) => status === 200,
    );
    expect((await taken).status).not.toBe(413);
  });

  it('does nothing for the same content again, and replaces it by new content, whole', async () => {
    const again = (await (await ingest({ type: 'text', value: 'The old text, about otters.' })).json()) as {
      data: unknown[];
    };
    expect(again.data).toEqual([]);
    expect((await ingest({ type: 'text', value: 'The new text, about herons.' })).status).toBe(200);
    expect((await search('herons')).map(({ text }) => text)).toEqual(['The new text, about herons.']);
    expect((await ingest({ type: 'text', value: 'The old text, about otters.' })).status).toBe(200);
  });

  it('knows another organisation’s collection as little as one that does not exist', async () => {
    const headers = { 'x-org': 'rival' };
    expect(await search('otters', headers)).toEqual([]);
    const answers = await Promise.all(
      [
        { collection: 'docs', artifact: 'kept' },
        { collection: 'docs', artifact: 'kepx' },
      ].map(async (body) => {
        const { status, said } = await refusal(await server.post('/v1/artifacts/delete', body, { headers }));
        return { status, said: said.replace(body.artifact, '…') };
      }),
    );
    expect(answers[0]).toMatchObject({ status: 400 });
    expect(answers[0]).toEqual(answers[1]);
    expect(await (await server.fetch('/v1/artifacts/list?collection=docs', { headers })).json()).toMatchObject({
      data: [],
    });
  });
});
