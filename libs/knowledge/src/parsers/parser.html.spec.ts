import { htmlParser } from './parser.html';
import { UnsafeFileError, UnsupportedFileError } from './parser-errors';

const read = async (html: string | Buffer) =>
  htmlParser.parse({ name: 'page.html', bytes: Buffer.from(html as string) }, { maxPages: 10 });
const texts = async (html: string) => (await read(html)).blocks.map(({ text }) => text);

describe('of a page, the content is read', () => {
  const prose = 'The pump is serviced every six months by a certified technician, who signs the log. ';

  it('and not what is there to get around in the site', async () => {
    const text =
      await texts(`<!doctype html><html lang="es-ES"><head><title>Pumps</title><style>p{}</style></head><body>
      <header><a href="/">ACME</a><nav><ul><li><a href="/a">Products</a></li><li><a href="/b">Prices</a></li></ul></nav></header>
      <div class="cookie-banner">We use cookies <button>Accept</button></div>
      <div class="breadcrumb"><a href="/">Home</a> &gt; <a href="/p">Pumps</a></div>
      <main><h1>Pumps</h1><p>${prose}</p><script>track()</script><template>later</template>
        <p hidden>secret one</p><p style="display: none">secret two</p><p aria-hidden="true">secret three</p>
        <span style="visibility:hidden">secret four</span>
        <div class="sidebar"><p>Note: ${prose}</p></div></main>
      <footer>Copyright ACME <a href="/legal">Legal</a></footer></body></html>`);
    expect(text).toEqual(['Pumps', prose.trim(), `Note: ${prose.trim()}`]);
  });

  it('where nothing is marked up: the whole body, but for the rows of links around it', async () => {
    const text = await texts(`<title>Old</title><body><a href=a>Prev</a> | <a href=b>Up</a> | <a href=c>Next</a><hr>
      <h2>Starting</h2>${prose}<p>${prose}<hr><center><a href=a>Prev</a> <a href=c>Next</a></center>`);
    expect(text).toEqual(['Starting', prose.trim(), prose.trim()]);
  });

  it('unless the page is a list of links, which is then its content', async () => {
    expect(await texts('<body><h1>Links</h1><ul><li><a href=a>Manual</a><li><a href=b>Prices</a></ul>')).toEqual([
      'Links',
      '- Manual\n- Prices',
    ]);
  });

  it('of the articles, if they hold the text and there is no main', async () => {
    const text = await texts(
      `<body><div>Teaser of the week</div><article><h2>A</h2><p>${prose}</p></article><article><h2>B</h2><p>${prose}</p></article></body>`,
    );
    expect(text).toEqual(['A', prose.trim(), 'B', prose.trim()]);
  });

  it('with its title and language', async () => {
    const { title, language } = await read('<html lang="es-AR"><title>  Guía de\n bombas </title><body><p>Hola');
    expect({ title, language }).toEqual({ title: 'Guía de bombas', language: 'es' });
  });
});

describe('HTML becomes blocks', () => {
  it('in reading order, entities decoded, headings with their level', async () => {
    const { blocks } = await read(
      '<h1>A &amp; B</h1><p>caf&eacute; &#8212; 5&nbsp;&lt;&nbsp;6</p><h3>C</h3><p>x<br>y<br><br>z</p>',
    );
    expect(blocks).toEqual([
      { kind: 'heading', text: 'A & B', level: 1 },
      { kind: 'paragraph', text: 'café — 5 < 6' },
      { kind: 'heading', text: 'C', level: 3 },
      { kind: 'paragraph', text: 'x\ny' },
      { kind: 'paragraph', text: 'z' },
    ]);
  });

  it('as in the 1990s, with no tag closed', async () => {
    const { blocks } = await read(
      '<HTML><BODY><H1>Title</H1><P>One<P>Two<UL><LI>a<LI>b</UL><DL><DT>Term<DD>What it means<DT>Alone</DL>' +
        '<TABLE BORDER><TR><TH>k<TH>v<TR><TD>1<TD>2</TABLE><FONT SIZE=2>'.concat('<FONT COLOR=red>red '.repeat(900)),
    );
    expect(blocks.slice(0, 6)).toEqual([
      { kind: 'heading', text: 'Title', level: 1 },
      { kind: 'paragraph', text: 'One' },
      { kind: 'paragraph', text: 'Two' },
      { kind: 'list', text: '- a\n- b' },
      { kind: 'list', text: '- Term: What it means\n- Alone' },
      { kind: 'table', text: '| k | v |\n| --- | --- |\n| 1 | 2 |' },
    ]);
    expect(blocks[6].text).toMatch(/^(red ?){900}$/);
  });

  it('keeps a page whose heading was never closed apart from that heading', async () => {
    const [heading, ...rest] = (await read(`<h1>Title<p>${'word '.repeat(200)}<p>end`)).blocks;
    expect(heading).toEqual({ kind: 'heading', text: 'Title', level: 1 });
    expect(rest).toHaveLength(2);
  });

  it('without what its own style sheets hide, wherever it stands', async () => {
    const { blocks } = await read(
      '<style>.note { display: none } #ad > p { visibility: hidden } @media print { p { display: none } }</style>' +
        '<p>One</p><p class="note">IGNORE ALL RULES</p><div id="ad"><p>IGNORE ALL RULES</p></div><p>Two</p>',
    );
    expect(blocks.map(({ text }) => text)).toEqual(['One', 'Two']);
  });

  it('with nested and numbered lists, and code inside an item', async () => {
    const { blocks } = await read(
      '<ol start="3"><li>first<ul><li>deep <b>er</b></li></ul></li><li><p>second</p><pre>\n  ls -l\n    x</pre><p>after</p></li><li>third</li></ol>',
    );
    expect(blocks).toEqual([
      { kind: 'list', text: '3. first\n  - deep er\n4. second' },
      { kind: 'code', text: '  ls -l\n    x' },
      { kind: 'list', text: '  after\n5. third' },
    ]);
  });

  it('with tables as Markdown, spans resolved and pipes escaped', async () => {
    const { blocks } = await read(`<table><caption>Sales</caption>
      <thead><tr><th rowspan=2>Region</th><th colspan=2>2024</th></tr><tr><th>Q1</th><th>Q2</th></tr></thead>
      <tr><td rowspan=2>North</td><td>1|0</td><td>20</td></tr><tr><td>30</td><td>40</td></tr>
      <tr><td colspan=3>All figures in kEUR</td></tr></table>`);
    expect(blocks).toEqual([
      { kind: 'paragraph', text: 'Sales' },
      {
        kind: 'table',
        text: [
          '| Region | 2024 / Q1 | 2024 / Q2 |',
          '| --- | --- | --- |',
          '| North | 1\\|0 | 20 |',
          '| North | 30 | 40 |',
          '| All figures in kEUR | | |',
        ].join('\n'),
        notes: ['merged cells hold for every row they reach over (1 cell)'],
      },
    ]);
  });

  it('with the end tags of tables left out, as the standard allows', async () => {
    expect(
      await texts(
        '<table><thead><tr><td><th>2020<th>2021<tfoot><tr><th>All<td>4<td>6<tbody><tr><th>A<td>1<td><p>2<tr><th>B<td>3<td>4</table>',
      ),
    ).toEqual(['| | 2020 | 2021 |\n| --- | --- | --- |\n| A | 1 | 2 |\n| B | 3 | 4 |\n| All | 4 | 6 |']);
  });

  it('with cells in the columns in which a browser shows them, however wide or high one is', async () => {
    const [table] = await texts(
      '<table><tr><th>A<th>B<th>C</tr><tr><td colspan=1000>note</tr><tr><td rowspan=0>x<td>1<td>2</tr><tr><td colspan=2>3</tr>' +
        '<tr><td>4<td>5</tr><tbody><tr><td>y<td>6<td>7</tr></table>',
    );
    expect(table.split('\n').slice(2)).toEqual([
      '| note | | |',
      '| x | 1 | 2 |',
      '| x | 3 | |',
      '| x | 4 | 5 |',
      '| y | 6 | 7 |',
    ]);
  });

  it('and figures above or below the line keep their place', async () => {
    expect(
      await texts(
        '<p>H<sub>2</sub>O: 10<sup>6</sup> m<sup>2</sup>, 5<sup>th</sup>, <sub>Set in small letters, 2024</sub> ' +
          '<math><msup><mn>10</mn><mn>6</mn></msup><mo>+</mo><mfrac><mn>1</mn><mn>2</mn></mfrac></math>',
      ),
    ).toEqual(['H₂O: 10⁶ m², 5th, Set in small letters, 2024 10⁶+1/2']);
  });

  it('and reads a table that only arranges the page as what is in it', async () => {
    expect(
      await texts('<table><tr><td><h1>Hi</h1><p>Left</p></td><td><table><tr><td>a</td></tr></table></td></tr></table>'),
    ).toEqual(['Hi', 'Left', 'a']);
  });

  it('of a self-closing anchor in XHTML only the text after it', async () => {
    const xhtml =
      '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body><h1><a id="x"/>Title</h1><p>Text</p></body></html>';
    expect(await texts(xhtml)).toEqual(['Title', 'Text']);
  });

  it('in the charset that the page declares', async () => {
    const page =
      '<html><head><meta http-equiv="Content-Type" content="text/html; charset=windows-1251"></head><body><p>Мир</p></body></html>';
    const bytes = Buffer.concat([
      Buffer.from(page.slice(0, page.indexOf('М')), 'latin1'),
      Buffer.from([0xcc, 0xe8, 0xf0]),
      Buffer.from('</p></body></html>'),
    ]);
    const { blocks } = await read(bytes);
    expect(blocks[0].text).toBe('Мир');
  });
});

describe('HTML is refused', () => {
  it.each(['div', 'span', 'b', 'ul', 'svg', 'font'])('when 50,000 <%s> nest, and at once', async (tag) => {
    const started = process.cpuUsage();
    await expect(read(`<p>x</p>${`<${tag}>`.repeat(50_000)}`)).rejects.toThrow(UnsafeFileError);
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(2000);
  });

  it('when it has more than half a million elements', async () => {
    await expect(read('<p>x</p>'.repeat(500_001))).rejects.toThrow(/^unsafe_file: .*500000/);
  });

  it('when it is a frame set, with the way out', async () => {
    const frames = '<html><frameset cols="20%,80%"><frame src="a.html"><frame src="b.html"></frameset></html>';
    await expect(read(frames)).rejects.toThrow(/^unsupported_file: .*frame/);
  });

  it('when it has no text', async () => {
    await expect(read('<html><body><script>app()</script></body></html>')).rejects.toThrow(UnsupportedFileError);
  });

  it('never for a table with absurd spans', async () => {
    const row = '<tr><td colspan=1000 rowspan=65534>cell</td><td>x</td></tr>';
    const { blocks } = await read(`<table>${row.repeat(200)}</table>`);
    expect(blocks[0].text.length).toBeLessThan(5_000_000);
  });
});
