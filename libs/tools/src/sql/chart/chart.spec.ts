import { chartOf, type Chart } from './chart';
import { ChartPainter } from './chart-painter';

const columns = [
  { name: 'region', type: 'VARCHAR' },
  { name: 'total', type: 'DECIMAL(12,2)' },
  { name: 'n', type: 'BIGINT' },
];
const rows = [
  ['Norte & <Sur>', '12.50', 3],
  ['Este', '7.25', 5],
  [null, '1.00', 1],
];

describe('a chart', () => {
  const painter = new ChartPainter();
  afterAll(() => painter.close());

  const draw = (wanted: object, some: readonly (readonly (string | number | null)[])[] = rows) => {
    const chart = chartOf(wanted, { columns, rows: some });
    if (typeof chart === 'string') throw new Error(chart);
    return painter.draw(chart);
  };
  const count = (svg: string, role: string) => svg.split(`class="mark-${role}`).length - 1;

  it('shows a bar for each group, and its texts as texts', async () => {
    const svg = await draw({ type: 'bar', x: 'region', y: ['total'], title: '</svg><script>alert(1)</script>' });
    expect(svg).toMatch(/^<svg /);
    expect(svg).toContain('Norte &amp; &lt;Sur&gt;');
    expect(svg).not.toContain('<script');
    expect(svg.match(/aria-roledescription="rect mark"|<path [^>]*fill="#3366aa"/g)!.length).toBeGreaterThanOrEqual(3);
  });

  it.each([
    ['several series side by side, with a legend', { type: 'bar', x: 'region', y: ['total', 'n'] }, 'dd7733'],
    ['a line', { type: 'line', x: 'region', y: 'n' }, 'stroke="#3366aa"'],
    ['points', { type: 'scatter', x: 'total', y: 'n' }, 'fill-opacity="0.6"'],
    ['a histogram', { type: 'histogram', x: 'n' }, 'stroke="#ffffff"'],
  ])('draws %s', async (_, wanted, expected) => {
    const svg = await draw(wanted);
    expect(svg).toContain(expected);
    expect(count(svg, 'group')).toBeGreaterThan(0);
  });

  it('stays a picture where all values are one, or negative', async () => {
    expect(await draw({ type: 'histogram', x: 'n' }, [['a', '1', 4]])).toMatch(/^<svg /);
    expect(await draw({ type: 'bar', x: 'region', y: 'n' }, [['a', '1', -4]])).toMatch(/^<svg /);
    expect(await draw({ type: 'scatter', x: 'n', y: 'n' }, [['a', '1', 0]])).toMatch(/^<svg /);
  });

  it.each([
    ['no description', 'bar'],
    ['an unknown type', { type: 'pie', x: 'region' }],
    ['an unknown column', { type: 'bar', x: 'nowhere', y: ['n'] }],
    ['nothing to draw', { type: 'bar', x: 'n', y: ['region'] }],
    ['a scatter of texts', { type: 'scatter', x: 'region', y: ['n'] }],
  ])('says why there is none for %s', (_, wanted) => {
    expect(typeof chartOf(wanted, { columns, rows })).toBe('string');
  });

  it('has a limit of bars and points', () => {
    const many = Array.from({ length: 6000 }, (_, i) => [`g${i}`, '1', i]);
    expect(chartOf({ type: 'bar', x: 'region', y: 'n' }, { columns, rows: many.slice(0, 61) })).toMatch(/at most 60/);
    expect(chartOf({ type: 'line', x: 'region', y: 'n' }, { columns, rows: many })).toMatch(/at most 5000/);
    expect(
      (chartOf({ type: 'line', x: 'region', y: 'n' }, { columns, rows: many.slice(0, 61) }) as Chart).points,
    ).toHaveLength(61);
  });

  it('counts what it cannot draw', () => {
    const some = [
      ['a', '1.50', 1],
      ['b', null, 2],
      ['c', 'NaN', 3],
      ['d', '9'.repeat(400), 4],
      ['e', 'Infinity', null],
    ];
    const drawn = (wanted: object) => chartOf(wanted, { columns, rows: some }) as Chart;
    expect(drawn({ type: 'bar', x: 'region', y: 'total' })).toMatchObject({ points: [{ x: 'a', y: 1.5 }], leftOut: 4 });
    expect(drawn({ type: 'line', x: 'region', y: ['total', 'n'] })).toMatchObject({ leftOut: 5 });
    expect(drawn({ type: 'scatter', x: 'n', y: 'total' })).toMatchObject({ leftOut: 4 });
    expect(drawn({ type: 'histogram', x: 'n' })).toMatchObject({ leftOut: 1 });
    expect(drawn({ type: 'bar', x: 'region', y: 'n' }).leftOut).toBe(1);
  });

  it.each(['bar', 'line'])('draws no %s over another', (type) => {
    const twice = [
      ['a', '1', 1],
      ['b', '1', 2],
      ['a', '1', 3],
    ];
    const wanted = { type, x: 'region', y: 'n' };
    expect(chartOf(wanted, { columns, rows: twice })).toMatch(/several rows have the same region/);
    const long = ['x', 'y'].map((end) => ['l'.repeat(100) + end, '1', 1]);
    expect(chartOf(wanted, { columns, rows: long })).toMatch(/several rows have the same region/);
    expect(chartOf({ ...wanted, y: ['n', 'N'] }, { columns, rows: twice.slice(1) })).toMatchObject({
      points: [{ x: 'b' }, { x: 'a' }],
    });
  });

  it('is drawn without a text that is no number in it, however large numbers are', async () => {
    const far = [
      ['a', '1', -1e300],
      ['b', '1', 1e300],
      ['c', '1', 1.7e308],
    ];
    for (const type of ['scatter', 'histogram', 'bar']) {
      expect(await draw({ type, x: type === 'bar' ? 'region' : 'n', y: 'n' }, far)).not.toMatch(/NaN|Infinity/);
    }
  });

  it('holds nothing that XML may not', async () => {
    const svg = await draw({ type: 'bar', x: 'region', y: 'n', title: 'a\ufffe\ud800' }, [
      ['\u0001\uffff\u{1fffe}x', '1', 1],
    ]);
    expect(svg).not.toMatch(/[\u0000-\u0008\ufffe\uffff]|\u{1fffe}/u);
    expect(svg.isWellFormed()).toBe(true);
  });
});
