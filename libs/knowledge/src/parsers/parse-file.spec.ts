import { createHash } from 'node:crypto';
import iconv from 'iconv-lite';
import { makePdf } from '../../../../test/support/documents/pdf-documents';
import { makeBareDocx, makeZip } from '../../../../test/support/documents/zip-archives';
import { parseFile } from './parse-file';
import { UnsupportedFileError } from './parser-errors';

const parse = (name: string, bytes: Uint8Array | string) =>
  parseFile({ name, bytes: Buffer.from(bytes) }, { maxPages: 10 });

const html = '<!doctype html><html><body><p>Hello</p></body></html>';
const docx = makeBareDocx('<w:p><w:r><w:t>Hello</w:t></w:r></w:p>'.repeat(50));
const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex');
let pdf: Buffer;

beforeAll(async () => {
  pdf = await makePdf((document) => {
    for (let page = 0; page < 3; page++) document.text('Hello there, this is a page of text. '.repeat(30)).addPage();
    document.text('The end.');
  });
});

describe('parseFile', () => {
  it('reads each format by its extension, in capitals too', async () => {
    const formats = await Promise.all([
      parse('a.PDF', pdf),
      parse('a.docx', docx),
      parse('a.HTM', html),
      parse('a.md', '# Hello'),
      parse('a.txt', 'Hello'),
    ]);
    expect(formats.map(({ format }) => format)).toEqual(['pdf', 'docx', 'html', 'markdown', 'text']);
  });

  it('tells the format by the content when the name has no extension', async () => {
    const formats = await Promise.all([
      parse('a', pdf),
      parse('b', docx),
      parse('c', html),
      parse('d', 'a < b and <b>'),
    ]);
    expect(formats.map(({ format }) => format)).toEqual(['pdf', 'docx', 'html', 'text']);
  });

  it('reads a text that begins with the letters of some other format', async () => {
    for (const text of ['BM is the code for Bermuda.', 'MZ was his name.', 'ID3 tags are old.', 'GIF is a format.']) {
      expect((await parse('a.txt', text)).blocks[0].text).toBe(text);
    }
  });

  describe.each(['utf-8', 'utf-16le', 'utf-16be', 'utf-32le', 'utf-32be'])('a file marked as %s', (charset) => {
    const marked = (text: string) => iconv.encode(text, charset, { addBOM: true });

    it.each([
      ['a.txt', 'La cigüeña vuela.', 'text'],
      ['a', 'La cigüeña vuela.', 'text'],
      ['a', '漢字を書く。', 'text'],
      ['a.md', '# Aves\n\nLa cigüeña vuela.', 'markdown'],
      ['a.html', '<!doctype html><html><body><p>La cigüeña vuela.</p></body></html>', 'html'],
      ['a', '<!doctype html><html><body><p>La cigüeña vuela.</p></body></html>', 'html'],
    ])('is read for what it is (%s, %#)', async (name, text, format) => {
      const document = await parse(name, marked(text));
      expect(document.format).toBe(format);
      expect(document.blocks.at(-1)?.text).toMatch(/^(La cigüeña vuela|漢字を書く)[.。]$/);
    });
  });

  it('is not taken in by binary data that begins with a byte order mark', async () => {
    const frames = Buffer.concat(Array.from({ length: 100 }, (_, at) => createHash('sha256').update(`${at}`).digest()));
    for (const mark of ['fffe', 'feff', 'efbbbf']) {
      await expect(parse('a.txt', Buffer.concat([Buffer.from(mark, 'hex'), frames]))).rejects.toThrow(/binary data/);
    }
  });

  it.each([
    ['a.pdf', 'plain words', /name says pdf.*plain text/],
    ['a.pdf', html, /name says pdf.*HTML/],
    ['a.pdf', docx, /name says pdf.*Word document/],
    ['a.docx', html, /name says docx.*HTML/],
    ['a.docx', makeZip([{ name: 'xl/workbook.xml', content: '<x/>' }]), /name says docx.*Excel/],
    ['a.docx', makeZip([{ name: 'a.txt', content: 'x' }]), /name says docx.*ZIP/],
    ['a.txt', png, /name says text.*png/],
    ['a.txt', docx, /name says text.*Word/],
    ['a.md', html, /name says markdown.*HTML/],
    ['a.html', 'no tag in sight', /name says html.*plain text/],
    ['a.txt', Buffer.from('text with a \0 inside'), /name says text.*binary/],
    ['a.txt', '{\\rtf1 hello}', /name says text.*RTF/],
    ['picture', png, /png.*cannot be read/],
    [
      'a.docx',
      Buffer.concat([
        Buffer.from('d0cf11e0a1b11ae1', 'hex'),
        Buffer.alloc(600),
        Buffer.from('EncryptedPackage', 'utf16le'),
      ]),
      /password/,
    ],
  ])('refuses %s whose content is another (%#)', async (name, bytes, reason) => {
    const failure = parse(name, bytes);
    await expect(failure).rejects.toThrow(UnsupportedFileError);
    await expect(failure).rejects.toThrow(reason);
  });

  it.each(['a.pptx', 'a.exe', 'archive.tar.gz', 'a.svg'])('refuses %s, and says what can be read', async (name) => {
    await expect(parse(name, 'x')).rejects.toThrow(/^unsupported_file: .*pdf.*docx.*html.*markdown.*text/);
  });

  it.each(['a.pdf', 'a.docx', 'a.html', 'a.md', 'a.txt'])('refuses an empty %s', async (name) => {
    await expect(parse(name, '')).rejects.toThrow(/^unsupported_file: .*empty/);
  });

  it('says of a PDF or a Word document cut at any place that it is damaged or cut short', async () => {
    for (const [name, bytes] of [['a.pdf', pdf] as const, ['a.docx', docx] as const]) {
      for (let tenth = 1; tenth < 10; tenth++) {
        const cut = bytes.subarray(0, Math.floor((bytes.length * tenth) / 10));
        await expect(parse(name, cut)).rejects.toThrow(/^unsupported_file: .*(damaged|cut short)/);
      }
      await expect(parse(name, bytes.subarray(0, -1)))
        .resolves.toBeDefined()
        .catch(() => undefined);
    }
  });

  it('reads a text, a page or a Markdown file cut at any place up to there', async () => {
    const body = 'El niño comió piñas. ';
    const whole = {
      'a.txt': body.repeat(50),
      'a.md': `# Título\n\n${body.repeat(50)}`,
      'a.html': `<p>${body.repeat(50)}`,
    };
    for (const [name, text] of Object.entries(whole)) {
      const bytes = Buffer.from(text);
      for (let tenth = 1; tenth < 10; tenth++) {
        const { blocks } = await parse(name, bytes.subarray(0, Math.floor((bytes.length * tenth) / 10)));
        expect(blocks.at(-1)?.text).toContain('niño');
      }
    }
  });

  it('gives nothing away of the machine in its errors', async () => {
    for (const [name, bytes] of [
      ['a.pdf', pdf.subarray(0, 500)],
      ['a.docx', docx.subarray(0, 300)],
      ['a.txt', png],
    ] as const) {
      await expect(parse(name, bytes)).rejects.toThrow(
        /^unsupported_file: (?!.*(node_modules|libs|\.ts|\.js|  at )).*$/,
      );
    }
  });
});
