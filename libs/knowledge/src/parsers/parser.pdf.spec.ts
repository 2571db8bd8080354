import { makePdf, makePdfWithLigatures } from '../../../../test/support/documents/pdf-documents';
import { documentTables } from '../tables/document-tables';
import { TABLE_LIMITS } from '../tables/table-input';
import { pdfParser } from './parser.pdf';

const read = (bytes: Buffer, maxPages = 100) => pdfParser.parse({ name: 'a.pdf', bytes }, { maxPages });

const SENTENCES = Array.from(
  { length: 40 },
  (_, at) => `Sentence ${at} tells how the pump number ${at} is opened, cleaned and closed again before winter.`,
);

describe('a PDF becomes blocks', () => {
  it('with lines joined to paragraphs, headings by their size, and the page of each', async () => {
    const bytes = await makePdf((pdf) => {
      pdf.fontSize(20).text('Pump manual').fontSize(10).moveDown();
      pdf.text(SENTENCES.slice(0, 4).join(' ')).moveDown();
      pdf.text(SENTENCES.slice(4, 8).join(' '));
      pdf.addPage().fontSize(14).text('2. Winter').fontSize(10).moveDown();
      pdf.text(SENTENCES[8]);
    });
    const document = await read(bytes);
    expect(document.pages).toBe(2);
    expect(document.blocks).toEqual([
      { kind: 'heading', text: 'Pump manual', level: 1, page: 1 },
      { kind: 'paragraph', text: SENTENCES.slice(0, 4).join(' '), page: 1 },
      { kind: 'paragraph', text: SENTENCES.slice(4, 8).join(' '), page: 1 },
      { kind: 'heading', text: '2. Winter', level: 2, page: 2 },
      { kind: 'paragraph', text: SENTENCES[8], page: 2 },
    ]);
  });

  it('with the left of two columns read before the right one, under a title that spans both', async () => {
    const bytes = await makePdf((pdf) => {
      pdf.fontSize(18).text('A title across the whole width of the page', { align: 'center' }).fontSize(10);
      const [left, right] = [SENTENCES.slice(0, 12), SENTENCES.slice(12, 24)];
      // Line by line from left to right, as some programs write: only where the text stands tells the order.
      const top = 120;
      pdf.text(left.join(' '), 56, top, { width: 225 });
      pdf.text(right.join(' '), 305, top + 3, { width: 225 });
    });
    const text = (await read(bytes)).blocks.map((block) => block.text).join(' ');
    expect(text).toBe(['A title across the whole width of the page', ...SENTENCES.slice(0, 24)].join(' '));
  });

  it('without running headers, footers and page numbers, but for the first time they are seen', async () => {
    const bytes = await makePdf((pdf) => {
      for (let page = 0; page < 6; page++) {
        if (page > 0) pdf.addPage();
        pdf.text('ACME confidential', 56, 30, { lineBreak: false });
        pdf.text(`Page ${page + 1} of 6`, 480, 780, { lineBreak: false });
        pdf.text(SENTENCES.slice(page * 5, page * 5 + 5).join(' '), 56, 90 + page);
      }
    });
    const text = (await read(bytes)).blocks.map((block) => block.text).join(' ');
    expect(text).toBe(['ACME confidential', ...SENTENCES.slice(0, 30)].join(' '));
  });

  it('with words whole that were hyphenated to fit, and compounds kept', async () => {
    const bytes = await makePdf((pdf) => {
      pdf.text(
        'The main-\ntenance of the self-\nhosted server and the in-\nforme, in a self-hosted way. Franco-\nPrussian.',
      );
    });
    const [{ text }] = (await read(bytes)).blocks;
    expect(text).toBe(
      'The maintenance of the self-hosted server and the informe, in a self-hosted way. Franco-Prussian.',
    );
  });

  it('with ligatures as the letters they stand for', async () => {
    const bytes = makePdfWithLigatures('BT /F1 12 Tf 72 700 Td (The \\001le for the o\\002ine o\\001ce) Tj ET');
    const [{ text }] = (await read(bytes)).blocks;
    expect(text).toBe('The file for the offline ofice');
  });

  it('with tables as Markdown and lists as items', async () => {
    const bytes = await makePdf((pdf) => {
      const rows = [
        ['Part', 'Price', 'Stock'],
        ['Valve', '12.50', '140'],
        ['Seal', '0.80', '2100'],
        ['Motor', '310.00', '8'],
      ];
      rows.forEach((row, y) =>
        row.forEach((cell, x) => pdf.text(cell, 56 + x * 150, 100 + y * 16, { lineBreak: false })),
      );
      pdf.text('• Open the valve', 56, 260).text('• Close the valve', 56, 274);
    });
    expect((await read(bytes)).blocks).toEqual([
      {
        kind: 'table',
        text: '| Part | Price | Stock |\n| --- | --- | --- |\n| Valve | 12.50 | 140 |\n| Seal | 0.80 | 2100 |\n| Motor | 310.00 | 8 |',
        page: 1,
      },
      { kind: 'list', text: '- Open the valve\n- Close the valve', page: 1 },
    ]);
  });

  describe('with tables', () => {
    type Pdf = Parameters<Parameters<typeof makePdf>[0]>[0];
    const CITIES = ['Lugo', 'Zaragoza', 'Vigo', 'Palma de Mallorca', 'Gijón'];
    const HEAD = ['City', 'People', 'Area'];
    const ROWS = CITIES.map((city, at) => [city, String(10 ** at * 7), String(1000 - at * 199)]);
    const asMarkdown = (rows: readonly (readonly string[])[], head: readonly string[] = HEAD) =>
      [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
    /** @param place how far to the right of its column's edge, of 100 points, a text of such a width stands. */
    const draw = (
      pdf: Pdf,
      rows: readonly (readonly string[])[],
      y: number,
      place: (width: number, column: number) => number,
    ) =>
      rows.forEach((row, at) =>
        row.forEach((text, column) => {
          const x = 56 + column * 130 + place(pdf.widthOfString(text), column);
          pdf.text(text, x, y + at * 16, { lineBreak: false });
        }),
      );
    const tables = async (bytes: Buffer) => (await read(bytes)).blocks.filter(({ kind }) => kind === 'table');

    it.each([
      ['at the left', () => 0],
      ['numbers at the right', (width: number, column: number) => (column === 0 ? 0 : 100 - width)],
      ['in the middle', (width: number) => 50 - width / 2],
    ])('whose texts stand %s', async (_, place) => {
      const bytes = await makePdf((pdf) => draw(pdf, [HEAD, ...ROWS], 100, place));
      expect(await tables(bytes)).toEqual([{ kind: 'table', text: asMarkdown(ROWS), page: 1 }]);
    });

    it('with headings in the middle of columns whose values are at the left', async () => {
      const bytes = await makePdf((pdf) => {
        draw(pdf, [HEAD], 100, (width) => 60 - width / 2);
        draw(pdf, ROWS, 116, () => 0);
      });
      expect((await tables(bytes))[0]?.text).toBe(asMarkdown(ROWS));
    });

    it('with cells that are empty, and a dash that is no sign of the number beside it', async () => {
      const rows = ROWS.map(([city, people, area], at) => [city, at % 2 ? '–' : people, at === 2 ? '' : area]);
      const bytes = await makePdf((pdf) =>
        draw(pdf, [HEAD, ...rows], 100, (width, column) => (column === 0 ? 0 : 100 - width)),
      );
      expect((await tables(bytes))[0]?.text.replaceAll('| |', '|  |')).toBe(asMarkdown(rows));
    });

    it('with headings over several columns', async () => {
      const lines = [['City', 'In', 'Out', 'In', 'Out'], ...ROWS.map(([city, one, two]) => [city, one, two, two, '5'])];
      const bytes = await makePdf((pdf) => {
        const inTheMiddle = (text: string, x: number, y: number) =>
          pdf.text(text, x - pdf.widthOfString(text) / 2, y, { lineBreak: false });
        inTheMiddle('2020', 235, 84);
        inTheMiddle('2021', 395, 84);
        lines.forEach(([city, ...values], at) => {
          pdf.text(city, 56, 100 + at * 16, { lineBreak: false });
          values.forEach((value, column) => inTheMiddle(value, 195 + column * 80, 100 + at * 16));
        });
      });
      expect(await tables(bytes)).toEqual([
        {
          kind: 'table',
          text: asMarkdown(lines.slice(1), ['City', '2020 / In', '2020 / Out', '2021 / In', '2021 / Out']),
          page: 1,
        },
      ]);
    });

    it('that go on over pages, each row once, the headings once in the table and over each part', async () => {
      const many = Array.from({ length: 100 }, (_, at) => [`Name ${at + 1}`, String(at * 37), `${at}.5`]);
      const bytes = await makePdf((pdf) => {
        for (let from = 0; from < 100; from += 40) {
          if (from > 0) pdf.addPage();
          draw(pdf, [HEAD, ...many.slice(from, from + 40)], 60, () => 0);
        }
      });
      const parts = await tables(bytes);
      expect(parts.map(({ page, goesOn }) => [page, goesOn])).toEqual([
        [1, undefined],
        [2, true],
        [3, true],
      ]);
      expect(parts.map(({ text }) => text)).toEqual([0, 40, 80].map((from) => asMarkdown(many.slice(from, from + 40))));
      const [input] = documentTables(await read(bytes), TABLE_LIMITS);
      expect([...input!.rows()].map(({ cells }) => cells)).toEqual([HEAD, ...many]);
    });

    it('and figures above the line keep their place', async () => {
      const bytes = await makePdf((pdf) =>
        [HEAD, ...ROWS].forEach(([city, people], at) => {
          pdf.fontSize(12).text(city, 56, 100 + at * 18, { lineBreak: false });
          pdf.text(people, 186, 100 + at * 18, { lineBreak: false });
          if (at === 0) return;
          const behind = 187 + pdf.widthOfString(people);
          pdf.fontSize(7).text('1', behind, 98 + at * 18, { lineBreak: false });
        }),
      );
      const raised = ROWS.map(([city, people]) => [city, `${people}¹`]);
      expect((await tables(bytes))[0]?.text).toBe(asMarkdown(raised, ['City', 'People']));
    });

    it('or leaves as text what cannot be told apart: lines that stand between those of other rows', async () => {
      const bytes = await makePdf((pdf) =>
        CITIES.forEach((city, at) => {
          pdf.text(`the first line about ${city}`, 120, 100 + at * 28, { lineBreak: false });
          pdf.text(city.slice(0, 4), 56, 107 + at * 28, { lineBreak: false });
          pdf.text(String(at * 7), 400, 107 + at * 28, { lineBreak: false });
          pdf.text(`and the second about ${city}`, 120, 114 + at * 28, { lineBreak: false });
        }),
      );
      expect(await tables(bytes)).toEqual([]);
    });
  });

  it('with text of fixed width as code, indentation kept', async () => {
    const bytes = await makePdf((pdf) => {
      pdf
        .font('Courier')
        .text('if ready:', 56, 100)
        .text('start()', 56 + 4 * 6, 112)
        .text('done()', 56, 124);
      pdf.font('Helvetica').text(SENTENCES[0], 56, 200);
    });
    const [code] = (await read(bytes)).blocks;
    expect(code).toEqual({ kind: 'code', text: 'if ready:\n    start()\ndone()', page: 1 });
  });

  it('with its title, and headings of the outline at their level', async () => {
    const bytes = await makePdf(
      (pdf) => {
        const chapter = pdf.outline.addItem('Installing');
        chapter.addItem('By hand');
        pdf.font('Helvetica-Bold').text('1 Installing').font('Helvetica').moveDown().text(SENTENCES[0]).moveDown();
        pdf
          .font('Helvetica-Bold')
          .text('1.1 By hand')
          .font('Helvetica')
          .moveDown()
          .text(SENTENCES.slice(1, 4).join(' '));
      },
      { info: { Title: 'Pump guide' } },
    );
    const { title, blocks } = await read(bytes);
    expect(title).toBe('Pump guide');
    expect(blocks.filter(({ kind }) => kind === 'heading')).toEqual([
      { kind: 'heading', text: '1 Installing', level: 1, page: 1 },
      { kind: 'heading', text: '1.1 By hand', level: 2, page: 1 },
    ]);
  });
});

describe('a PDF is refused, and the reason given', () => {
  it('when it needs a password', async () => {
    const bytes = await makePdf((pdf) => pdf.text('secret'), { userPassword: 'open', ownerPassword: 'own' });
    await expect(read(bytes)).rejects.toThrow(/^unsupported_file: .*password/);
  });

  it('but not when a password only restricts printing', async () => {
    const bytes = await makePdf((pdf) => pdf.text('readable'), {
      ownerPassword: 'own',
      permissions: { copying: false },
    });
    expect((await read(bytes)).blocks[0].text).toBe('readable');
  });

  it('when it is a picture of a text', async () => {
    const bytes = await makePdf((pdf) => pdf.rect(50, 50, 300, 300).fill('black'));
    await expect(read(bytes)).rejects.toThrow(/^unsupported_file: .*no text layer.*OCR/);
  });

  it('when it has more pages than allowed, with the setting', async () => {
    const bytes = await makePdf((pdf) => {
      for (let page = 0; page < 5; page++) pdf.addPage().text('x');
    });
    await expect(read(bytes, 5)).rejects.toThrow(/^limit_exceeded: .*6 pages.*5.*MAX_PDF_PAGES/);
  });

  it('when its end is missing, although what is there could be read', async () => {
    const bytes = makePdfWithLigatures('BT /F1 12 Tf 72 700 Td (Half of the text) Tj ET');
    await expect(read(bytes.subarray(0, bytes.indexOf('startxref')))).rejects.toThrow(/^unsupported_file: .*cut short/);
  });

  it('when a page is damaged, rather than read without it', async () => {
    const bytes = await makePdf((pdf) => pdf.text(SENTENCES.join(' ')));
    const at = bytes.indexOf('stream\n') + 40;
    const damaged = Buffer.from(bytes);
    damaged.fill(0x5a, at, at + 300);
    await expect(read(damaged)).rejects.toThrow(/^unsupported_file: .*damaged/);
  });
});
