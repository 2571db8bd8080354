import type { DocumentBlock } from '../parsers/parser';
import { chunkDocument } from './chunk-document';
import { countWords } from './count-words';

const chunk = (blocks: readonly DocumentBlock[], maxWords = 40) =>
  chunkDocument({ format: 'text', blocks }, { maxWords });
const paragraph = (text: string, page?: number): DocumentBlock => ({ kind: 'paragraph', text, ...(page && { page }) });
const heading = (text: string, level: number): DocumentBlock => ({ kind: 'heading', text, level });
const words = (count: number, from = 0) => Array.from({ length: count }, (_, at) => `w${from + at}`).join(' ');
const sentences = (count: number) =>
  Array.from({ length: count }, (_, at) => `Sentence ${at} has exactly six words.`).join(' ');

/** The same numbers in each run. */
function* randomNumbers(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    yield state / 2_147_483_648;
  }
}

describe('chunks keep to the structure of the document', () => {
  it('never crossing a heading, and knowing the path of headings above them', () => {
    const chunks = chunk([
      heading('Guide', 1),
      paragraph('Welcome.'),
      heading('Install', 2),
      paragraph('Run it.'),
      heading('By hand', 3),
      paragraph('Copy the files.'),
      heading('Use', 2),
      paragraph('Start it.'),
    ]);
    expect(chunks).toEqual([
      { text: 'Welcome.', headings: ['Guide'], position: 0, positionUnderHeading: 0 },
      { text: 'Run it.', headings: ['Guide', 'Install'], position: 1, positionUnderHeading: 0 },
      { text: 'Copy the files.', headings: ['Guide', 'Install', 'By hand'], position: 2, positionUnderHeading: 0 },
      { text: 'Start it.', headings: ['Guide', 'Use'], position: 3, positionUnderHeading: 0 },
    ]);
  });

  it('making a text of a heading with nothing under it, so that it is found', () => {
    const chunks = chunk([
      heading('A', 1),
      heading('Empty', 2),
      heading('Full', 2),
      paragraph('text'),
      heading('Last', 2),
    ]);
    expect(chunks.map(({ text }) => text)).toEqual(['Empty', 'text', 'Last']);
  });

  it('with the page where each begins, and its place in the document and under its heading', () => {
    const chunks = chunk([
      heading('H', 1),
      paragraph(words(30), 3),
      paragraph(words(30, 30), 4),
      paragraph(words(30, 60), 5),
    ]);
    expect(chunks.map(({ page, position, positionUnderHeading }) => [page, position, positionUnderHeading])).toEqual([
      [3, 0, 0],
      [4, 1, 1],
      [5, 2, 2],
    ]);
  });

  it('putting small paragraphs together', () => {
    expect(chunk([paragraph('One.'), paragraph('Two.'), { kind: 'list', text: '- a\n- b' }])).toEqual([
      { text: 'One.\n\nTwo.\n\n- a\n- b', headings: [], position: 0, positionUnderHeading: 0 },
    ]);
  });

  it('ending long paragraphs at sentences, not at abbreviations', () => {
    const text = `${words(20)}. See Dr. Smith, p.ej. ${words(12, 30)} in fig. 3. Then ${words(25, 50)}.`;
    const [first, second] = chunk([paragraph(text)]);
    expect(first.text).toMatch(/in fig\. 3\.$/);
    expect(second.text).toMatch(/^Then w50/);
  });

  it('leaving no crumb at the end of a section', () => {
    const chunks = chunk([paragraph(sentences(14))]);
    expect(chunks.map(({ text }) => countWords(text)).every((count) => count >= 10)).toBe(true);
  });

  it.each(['How much does it cost?', 'Run it as follows:', 'Table 3. List of prices'])(
    'keeping %j with what it announces',
    (leadIn) => {
      const chunks = chunk([paragraph(words(25)), paragraph(leadIn), paragraph(words(30, 100))]);
      expect(chunks.map(({ text }) => text)).toEqual([words(25), `${leadIn}\n\n${words(30, 100)}`]);
    },
  );

  it('repeating the header of a table wherever its rows go on', () => {
    const rows = Array.from({ length: 12 }, (_, at) => `| part ${at} | ${at * 10} |`);
    const table = ['| Name | Price |', '| --- | --- |', ...rows].join('\n');
    const chunks = chunk([{ kind: 'table', text: table }]);
    expect(chunks.length).toBeGreaterThan(2);
    for (const { text } of chunks) expect(text).toMatch(/^\| Name \| Price \|\n\| --- \| --- \|\n\| part/);
    expect(chunks.flatMap(({ text }) => text.split('\n').slice(2))).toEqual(rows);
  });

  it('reading a row that is longer than a chunk as named values', () => {
    const table = `| Name | Text |\n| --- | --- |\n| a | ${words(60)} |\n| b | short |`;
    const chunks = chunk([{ kind: 'table', text: table }]);
    expect(chunks[0].text).toMatch(/^Name: a\nText: w0/);
    expect(chunks.at(-1)?.text).toMatch(/\| b \| short \|$/);
  });

  it('cutting code at lines, with its indentation', () => {
    const code = Array.from({ length: 30 }, (_, at) => `${' '.repeat((at % 3) * 2)}line ${at} of code`).join('\n');
    const chunks = chunk([{ kind: 'code', text: code }]);
    expect(chunks.map(({ text }) => text).join('\n')).toBe(code);
  });
});

describe('chunks are of the size that was asked for', () => {
  it('counting each character of a script without spaces', () => {
    const chunks = chunk([
      paragraph('本合同自签字之日起生效。双方应遵守本协议的条款，并相互通知地址的变更。'.repeat(20)),
    ]);
    for (const { text } of chunks) expect(text.length).toBeLessThanOrEqual(48);
    expect(chunks.length).toBeGreaterThan(15);
  });

  it('also when one line or one word is a megabyte', () => {
    for (const text of [words(150_000), 'x'.repeat(1_000_000), '😀'.repeat(300_000)]) {
      const chunks = chunk([paragraph(text)], 100);
      expect(chunks.every((one) => countWords(one.text) <= 100 && one.text.isWellFormed())).toBe(true);
      expect(
        chunks
          .map((one) => one.text)
          .join('')
          .replace(/\s/g, ''),
      ).toBe(text.replace(/\s/g, ''));
    }
  });

  it('in time that grows with the text', () => {
    const started = process.cpuUsage();
    const blocks = Array.from({ length: 20_000 }, () => paragraph(sentences(15)));
    expect(chunk(blocks, 100).length).toBeGreaterThan(15_000);
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(15_000);
  });

  it('and the same in each run', () => {
    const blocks = [heading('A', 1), paragraph(sentences(40)), { kind: 'code' as const, text: words(100) }];
    expect(chunk(blocks)).toEqual(chunk(blocks));
  });
});

describe('nothing is lost by chunking', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'every word of a random document is in the chunks once, in order (seed %i)',
    (seed) => {
      const random = randomNumbers(seed * 7919);
      const upTo = (most: number) => Math.floor(random.next().value * most);
      let next = 0;
      const some = (most: number) =>
        Array.from({ length: 1 + upTo(most) }, () => `w${next++}${['', '', '', ',', '.', '?', ':'][upTo(7)]}`);
      const blocks: DocumentBlock[] = [];
      const expected: string[] = [];
      for (let at = 0; at < 120; at++) {
        const kind = (['heading', 'paragraph', 'paragraph', 'list', 'code'] as const)[upTo(5)];
        if (kind === 'heading') {
          blocks.push(heading(`h${at}`, 1 + upTo(4)));
          continue;
        }
        const lines = Array.from({ length: kind === 'paragraph' ? 1 : 1 + upTo(12) }, () =>
          some(kind === 'paragraph' ? 150 : 20),
        );
        const mark = kind === 'list' ? '- ' : '';
        blocks.push({ kind, text: lines.map((line) => mark + line.join(' ')).join('\n') });
        expected.push(...lines.flat());
      }
      const maxWords = 15 + upTo(120);
      const chunks = chunk(blocks, maxWords);
      const found = chunks
        .flatMap(({ text }) => text.split(/\s+/))
        .filter((word) => word !== '-' && !/^h\d/.test(word));
      expect(found).toEqual(expected);
      for (const { text } of chunks) expect(text.split(/\s+/).length).toBeLessThanOrEqual(maxWords);
      expect(chunks.map(({ position }) => position)).toEqual(chunks.map((_, at) => at));
    },
  );
});
