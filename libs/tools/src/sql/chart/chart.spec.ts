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
});
