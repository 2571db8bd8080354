import { markdownParser } from './parser.markdown';
import { UnsupportedFileError } from './parser-errors';

const read = async (text: string) => markdownParser.parse({ name: 'a.md', bytes: Buffer.from(text) }, { maxPages: 1 });

describe('Markdown becomes blocks', () => {
  it('with headings of both kinds, and the title of the front matter', async () => {
    const { title, blocks } = await read(
      '---\ntitle: "The *Guide*"\ndate: 2024\n---\n# One #\nText\nover lines\n\nTwo\n---\n\nBig\n===\n#not a heading\n',
    );
    expect(title).toBe('The *Guide*');
    expect(blocks).toEqual([
      { kind: 'heading', text: 'One', level: 1 },
      { kind: 'paragraph', text: 'Text over lines' },
      { kind: 'heading', text: 'Two', level: 2 },
      { kind: 'heading', text: 'Big', level: 1 },
      { kind: 'paragraph', text: '#not a heading' },
    ]);
  });

  it('with code as it stands, fenced or indented, headings inside being code', async () => {
    const { blocks } = await read(
      '```sh\n# comment\n\n  ls *.md\n```\n\n    indented\n      more\n\n~~~\nopen to the end',
    );
    expect(blocks).toEqual([
      { kind: 'code', text: '# comment\n\n  ls *.md' },
      { kind: 'code', text: 'indented\n  more' },
      { kind: 'code', text: 'open to the end' },
    ]);
  });

  it('with nested lists, wrapped items and blank lines between items', async () => {
    const { blocks } = await read('- one\n  goes on\n- two\n    1) deep\n    2) deeper\n\n- three\n\nEnd');
    expect(blocks).toEqual([
      { kind: 'list', text: '- one goes on\n- two\n  1. deep\n  2. deeper\n- three' },
      { kind: 'paragraph', text: 'End' },
    ]);
  });

  it('with tables, whatever their form', async () => {
    const { blocks } = await read('Name | Use\n:---|---:\n`a\\|b` | **two**\nc|d\n\nafter');
    expect(blocks).toEqual([
      { kind: 'table', text: '| Name | Use |\n| --- | --- |\n| a\\|b | two |\n| c | d |' },
      { kind: 'paragraph', text: 'after' },
    ]);
  });

  it('with tables as GitHub shows them: rows without a bar, too, but no text over a rule', async () => {
    const { blocks } = await read(
      '<!-- prettier-ignore -->\n| A | B |\n|---|---|\n| a | 1 |\nplain\n| b | 2 | 3 |\n\nHome | Docs\n-----------\nx | y\n',
    );
    expect(blocks).toEqual([
      {
        kind: 'table',
        text: '| A | B | |\n| --- | --- | --- |\n| a | 1 | |\n| plain | | |\n| b | 2 | 3 |',
        notes: [
          '1 of 3 rows have fewer than 2 cells; the rest is NULL',
          '1 of 3 rows have more than 2 cells; columns were added',
        ],
      },
      { kind: 'heading', text: 'Home | Docs', level: 2 },
      { kind: 'paragraph', text: 'x | y' },
    ]);
  });

  it('with what is written in HTML or as an entity, and brackets that are no link', async () => {
    const { blocks } = await read(
      'one<br>two, 10<sup>6</sup>, 1&frac12; &minus;5 &nosuch; a[1][2] [b][ref] [c][]\n\n[ref]: /r\n[c]: /c\n',
    );
    expect(blocks).toEqual([{ kind: 'paragraph', text: 'one two, 10⁶, 1½ −5 &nosuch; a[1][2] b c' }]);
  });

  it('without the marks of emphasis and links, but with what they say', async () => {
    const { blocks } = await read(
      'A **bold** _word_, `x_y_z *not*`, snake_case_name, [a link](https://example.org/a "t"), [inside](#there), ' +
        '![Chart of sales](c.png), <https://example.org>, ~~gone~~, 2 \\* 3 &amp; 4\n\n[ref]: https://example.org/ref\n',
    );
    expect(blocks).toEqual([
      {
        kind: 'paragraph',
        text:
          'A bold word, x_y_z *not*, snake_case_name, a link (https://example.org/a), inside, Chart of sales, ' +
          'https://example.org, gone, 2 * 3 & 4',
      },
    ]);
  });

  it('with quotes as text and HTML between as what it shows', async () => {
    const { blocks } = await read(
      '> Quoted\n> words\n\n<details>\n<summary>More</summary>\n<p>Hidden <b>not</b></p>\n</details>\n\n<!-- note -->\n\nEnd',
    );
    expect(blocks.map(({ text }) => text)).toEqual(['Quoted words', 'More', 'Hidden not', 'End']);
  });

  it('in time that grows with the file, also for text made to be slow', async () => {
    const started = process.cpuUsage();
    for (const evil of [
      '*'.repeat(50_000),
      '['.repeat(50_000),
      '`'.repeat(50_001),
      '_a'.repeat(30_000),
      '![['.repeat(20_000),
      '<a '.repeat(20_000),
      '> '.repeat(30_000),
      '- '.repeat(30_000),
    ]) {
      await read(`${evil}\n\nx`);
    }
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(10_000);
  });

  it('or is refused when there is no text', async () => {
    await expect(read(' \n\n---\n')).rejects.toThrow(UnsupportedFileError);
  });
});
