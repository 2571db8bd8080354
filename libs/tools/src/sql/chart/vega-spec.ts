/** A chart as a Vega specification. Texts of the data are values in it, never expressions. */
import type { Chart } from './chart';

const WIDTH = 640;
const HEIGHT = 360;
const COLORS = ['#3366aa', '#dd7733', '#449966', '#aa4466', '#887722', '#557788'];
const MAX_LABELS = 40;

type Part = Record<string, unknown>;

export function vegaSpec(chart: Chart): Part {
  const { type, title, xTitle, yTitle } = chart;
  const series = [...new Set(chart.points.map((point) => point.series))];
  return {
    width: WIDTH,
    height: HEIGHT,
    padding: 12,
    background: '#ffffff',
    ...(title !== '' && { title: { text: title } }),
    ...(type === 'histogram'
      ? histogram(chart)
      : { data: [{ name: 'points', values: chart.points }], ...{ bar, line, scatter }[type](series) }),
    axes: [
      { orient: 'bottom', scale: 'x', title: xTitle, ...(isDiscrete(chart) && crowded(chart)) },
      { orient: 'left', scale: 'y', title: yTitle, grid: true },
    ],
    ...(series.length > 1 && { legends: [{ fill: 'color', symbolType: 'square' }] }),
  };
}

const isDiscrete = ({ type }: Chart): boolean => type === 'bar' || type === 'line';

/** Many labels, or long ones, stand upright. */
function crowded({ points }: Chart): Part {
  const labels = [...new Set(points.map(({ x }) => String(x)))];
  const room = labels.reduce((sum, label) => sum + label.length * 7 + 8, 0);
  return {
    labelLimit: 160,
    ...(room > WIDTH && { labelAngle: -60, labelAlign: 'right', labelBaseline: 'middle' }),
    ...(labels.length > MAX_LABELS && { labelOverlap: true }),
  };
}

const number = (name: string, range: string, field: string, zero: boolean): Part => ({
  name,
  type: 'linear',
  domain: { data: 'points', field },
  range,
  zero,
  nice: true,
});

const color = (series: readonly string[]): Part => ({
  name: 'color',
  type: 'ordinal',
  domain: [...series],
  range: COLORS,
});

const bar = (series: readonly string[]): Part => ({
  scales: [
    { name: 'x', type: 'band', domain: { data: 'points', field: 'x' }, range: 'width', padding: 0.15 },
    number('y', 'height', 'y', true),
    color(series),
    { name: 'inner', type: 'band', domain: [...series], range: [0, 1] },
  ],
  marks: [
    {
      type: 'group',
      from: { facet: { data: 'points', name: 'group', groupby: 'x' } },
      encode: { enter: { x: { scale: 'x', field: 'x' } } },
      signals: [{ name: 'width', update: "bandwidth('x')" }],
      scales: [{ name: 'place', type: 'band', range: 'width', domain: [...series] }],
      marks: [
        {
          type: 'rect',
          from: { data: 'group' },
          encode: {
            enter: {
              x: { scale: 'place', field: 'series' },
              width: { scale: 'place', band: 1 },
              y: { scale: 'y', field: 'y' },
              y2: { scale: 'y', value: 0 },
              fill: { scale: 'color', field: 'series' },
            },
          },
        },
      ],
    },
  ],
});

const line = (series: readonly string[]): Part => ({
  scales: [
    { name: 'x', type: 'point', domain: { data: 'points', field: 'x' }, range: 'width' },
    number('y', 'height', 'y', false),
    color(series),
  ],
  marks: [
    {
      type: 'group',
      from: { facet: { data: 'points', name: 'group', groupby: 'series' } },
      marks: [
        {
          type: 'line',
          from: { data: 'group' },
          encode: {
            enter: {
              x: { scale: 'x', field: 'x' },
              y: { scale: 'y', field: 'y' },
              stroke: { scale: 'color', field: 'series' },
              strokeWidth: { value: 2 },
            },
          },
        },
      ],
    },
  ],
});

const scatter = (series: readonly string[]): Part => ({
  scales: [number('x', 'width', 'x', false), number('y', 'height', 'y', false), color(series)],
  marks: [
    {
      type: 'symbol',
      from: { data: 'points' },
      encode: {
        enter: {
          x: { scale: 'x', field: 'x' },
          y: { scale: 'y', field: 'y' },
          fill: { scale: 'color', field: 'series' },
          fillOpacity: { value: 0.6 },
          size: { value: 40 },
        },
      },
    },
  ],
});

/** Vega's own bins: round limits, about twenty of them. */
const histogram = ({ points }: Chart): Part => {
  const numbers = points.map(({ x }) => Number(x));
  const extent = [Math.min(...numbers), Math.max(...numbers)];
  if (extent[0] === extent[1]) extent[1] = extent[0]! + 1;
  return {
    data: [
      {
        name: 'points',
        values: points.map(({ x }) => ({ x })),
        transform: [
          { type: 'bin', field: 'x', extent, maxbins: 20, as: ['from', 'to'], signal: 'bins' },
          { type: 'aggregate', groupby: ['from', 'to'], ops: ['count'], as: ['y'] },
        ],
      },
    ],
    scales: [
      { name: 'x', type: 'linear', domain: { signal: '[bins.start, bins.stop]' }, range: 'width' },
      number('y', 'height', 'y', true),
    ],
    marks: [
      {
        type: 'rect',
        from: { data: 'points' },
        encode: {
          enter: {
            x: { scale: 'x', field: 'from' },
            x2: { scale: 'x', field: 'to' },
            y: { scale: 'y', field: 'y' },
            y2: { scale: 'y', value: 0 },
            fill: { value: COLORS[0] },
            stroke: { value: '#ffffff' },
          },
        },
      },
    ],
  };
};
