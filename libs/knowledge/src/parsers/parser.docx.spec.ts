import { Document, HeadingLevel, LevelFormat, Packer, Paragraph, Table, TableCell, TableRow, TextRun } from 'docx';
import { makeBareDocx, makeZip, type ZipEntry } from '../../../../test/support/documents/zip-archives';
import { docxParser } from './parser.docx';
import { UnsafeFileError, UnsupportedFileError } from './parser-errors';

const read = (bytes: Buffer) => docxParser.parse({ name: 'a.docx', bytes }, { maxPages: 1 });
const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
const cells = (...texts: string[]) =>
  new TableRow({ children: texts.map((text) => new TableCell({ children: [new Paragraph(text)] })) });

describe('a Word document becomes blocks', () => {
  it('with headings, nested lists and tables', async () => {
    const item = (text: string, level: number) => new Paragraph({ text, numbering: { reference: 'steps', level } });
    const document = new Document({
      title: 'Contrato marco',
      numbering: {
        config: [
          {
            reference: 'steps',
            levels: [
              { level: 0, format: LevelFormat.DECIMAL, text: '%1.' },
              { level: 1, format: LevelFormat.BULLET, text: '•' },
            ],
          },
        ],
      },
      sections: [
        {
          children: [
            new Paragraph({ text: 'Contrato', heading: HeadingLevel.TITLE }),
            new Paragraph({ text: 'Precios', heading: HeadingLevel.HEADING_2 }),
            new Paragraph({ children: [new TextRun('El precio es de '), new TextRun({ text: '12 €', bold: true })] }),
            item('Firmar', 0),
            item('Con bolígrafo', 1),
            item('Enviar', 0),
            new Table({ rows: [cells('Pieza', 'Precio'), cells('Válvula', '12,50')] }),
          ],
        },
      ],
    });
    const { title, blocks } = await read(await Packer.toBuffer(document));
    expect(title).toBe('Contrato marco');
    expect(blocks).toEqual([
      { kind: 'heading', text: 'Contrato', level: 1 },
      { kind: 'heading', text: 'Precios', level: 2 },
      { kind: 'paragraph', text: 'El precio es de 12 €' },
      { kind: 'list', text: '1. Firmar\n  - Con bolígrafo\n2. Enviar' },
      { kind: 'table', text: '| | |\n| --- | --- |\n| Pieza | Precio |\n| Válvula | 12,50 |' },
    ]);
  });

  it.each([
    ['as such', '<w:vertAlign w:val="superscript"/>'],
    ['by points', '<w:position w:val="8"/><w:sz w:val="19"/>'],
    ['by a style', '<w:rStyle w:val="Raised"/>'],
  ])('with figures above the line: %s', async (_, properties) => {
    const styles =
      '<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:style w:type="character" w:styleId="Raised">' +
      '<w:name w:val="Raised"/><w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:style></w:styles>';
    const related =
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" ' +
      'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>';
    const bytes = makeBareDocx(
      `<w:p><w:r><w:t>1234</w:t></w:r><w:r><w:rPr>${properties}</w:rPr><w:t>1</w:t></w:r></w:p>`,
      [
        { name: 'word/styles.xml', content: styles },
        { name: 'word/_rels/document.xml.rels', content: related },
      ],
    );
    expect((await read(bytes)).blocks).toEqual([{ kind: 'paragraph', text: '1234¹' }]);
  });

  it('with what is crossed out in a table marked so', async () => {
    const cell = (runs: string) => `<w:tc><w:p>${runs}</w:p></w:tc>`;
    const run = (text: string, properties = '') =>
      `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
    const row = (...cells: readonly string[]) => `<w:tr>${cells.join('')}</w:tr>`;
    const bytes = makeBareDocx(
      `<w:tbl>${row(cell(run('A', '<w:b/>')), cell(run('B', '<w:strike w:val="0"/>')))}` +
        `${row(cell(run('x')), cell(run('100', '<w:i/><w:strike/>') + run(' 90')))}</w:tbl>`,
    );
    expect((await read(bytes)).blocks).toEqual([
      { kind: 'table', text: '| | |\n| --- | --- |\n| A | B |\n| x | ~~100~~ 90 |' },
    ]);
  });

  it('without what its relationships point to outside', async () => {
    const relationships =
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r9" TargetMode="External" ' +
      'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="file:///etc/passwd"/></Relationships>';
    const picture =
      '<w:p><w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData><pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:blipFill><a:blip r:link="r9" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>';
    const bytes = makeBareDocx(paragraph('Inside') + picture, [
      { name: 'word/_rels/document.xml.rels', content: relationships },
    ]);
    expect((await read(bytes)).blocks).toEqual([{ kind: 'paragraph', text: 'Inside' }]);
  });

  it('with what stands among marks of style, revision and spelling', async () => {
    const body =
      '<w:p w:rsidR="00A1"><w:pPr><w:jc w:val="center"/><w:rPr><w:b/></w:rPr></w:pPr><w:proofErr w:type="spellStart"/>' +
      '<w:r><w:rPr><w:b/><w:rPrChange><w:rPr><w:i/></w:rPr></w:rPrChange></w:rPr><w:t>A &amp; B &lt; C</w:t></w:r>' +
      '<w:bookmarkStart w:id="1" w:name="x"/><w:r><w:t xml:space="preserve"> “café”</w:t></w:r></w:p>';
    expect((await read(makeBareDocx(body))).blocks).toEqual([{ kind: 'paragraph', text: 'A & B < C “café”' }]);
  });

  it('also with the workbook of a chart inside, which is not opened', async () => {
    const workbook = makeZip([{ name: 'xl/workbook.xml', content: '<x/>' }]);
    const bytes = makeBareDocx(paragraph('Chart below'), [{ name: 'word/embeddings/sheet1.xlsx', content: workbook }]);
    expect((await read(bytes)).blocks).toHaveLength(1);
  });
});

describe('a Word document is refused before anything reads it', () => {
  const withEntry = (entry: ZipEntry) => makeBareDocx(paragraph('text'), [entry]);
  const zeros = Buffer.alloc(30 * 1024 * 1024);

  it.each([
    ['a bomb that says its size', withEntry({ name: 'word/media/a.png', content: zeros })],
    ['a bomb that says it is small', withEntry({ name: 'word/media/a.png', content: zeros, declaredSize: 1000 })],
    ['an entry that says more than it has', withEntry({ name: 'word/media/a.png', content: 'abc', declaredSize: 900 })],
    ['an entry declared over 100 MiB', withEntry({ name: 'a.xml', content: 'x', declaredSize: 101 * 1024 * 1024 })],
    [
      'more than 2,000 entries',
      makeBareDocx(
        '',
        Array.from({ length: 2000 }, (_, at) => ({ name: `a${at}`, content: '' })),
      ),
    ],
    ['the same name twice', withEntry({ name: 'word/document.xml', content: '<w/>' })],
    ['a path that leads out', withEntry({ name: '../../etc/cron.d/x', content: 'x' })],
    ['an absolute path', withEntry({ name: '/etc/passwd', content: 'x' })],
    ['a symbolic link', withEntry({ name: 'word/link', content: '/etc/passwd', mode: 0o120777 })],
    ['an encrypted entry', withEntry({ name: 'word/x.bin', content: 'x', encrypted: true })],
    ['an archive inside', withEntry({ name: 'word/x.bin', content: makeZip([{ name: 'a', content: 'b' }]) })],
    ['an archive inside by its name', withEntry({ name: 'word/x.zip', content: 'x' })],
  ])('%s', async (_, bytes) => {
    const started = process.cpuUsage();
    await expect(read(bytes)).rejects.toThrow(UnsafeFileError);
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(2000);
  });

  it.each([
    ['a document type', '<?xml version="1.0"?><!DOCTYPE w:document [<!ENTITY x SYSTEM "file:///etc/passwd">]>', '&x;'],
    ['entities that multiply', '<!DOCTYPE d [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>', '&b;'],
    ['elements 300 deep', '<?xml version="1.0"?>', '<w:p>'.repeat(300) + '</w:p>'.repeat(300)],
  ])('XML with %s', async (_, prologue, body) => {
    await expect(read(makeBareDocx(body, [], prologue))).rejects.toThrow(UnsafeFileError);
  });

  it('a document of so many elements that reading it would take the memory of the machine', async () => {
    const many = Array.from({ length: 70_000 }, (_, at) => paragraph(`line ${at}`)).join('');
    await expect(read(makeBareDocx(many))).rejects.toThrow(/^unsafe_file: .*200000.*Split/);
  });

  it('a part that is not what its checksum says', async () => {
    const bytes = withEntry({ name: 'word/comments.xml', content: '<c/>', declaredChecksum: 1 });
    await expect(read(bytes)).rejects.toThrow(/^unsupported_file: .*damaged/);
  });

  it('a document with bytes changed inside', async () => {
    const bytes = makeBareDocx(
      Array.from({ length: 200 }, (_, at) => paragraph(`Paragraph number ${at * 7}`)).join(''),
    );
    const damaged = Buffer.from(bytes);
    damaged[damaged.indexOf('word/document.xml') + 300] ^= 0xff;
    await expect(read(damaged)).rejects.toThrow(UnsupportedFileError);
  });

  it('a document without text', async () => {
    await expect(read(makeBareDocx('<w:p/>'))).rejects.toThrow(/^unsupported_file: .*empty/);
  });
});
