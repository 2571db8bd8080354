/** The child's side of a chart: Vega draws it as SVG, and is given nothing to load. */
import type { Chart } from './chart';
import { vegaSpec } from './vega-spec';

export async function handle(chart: Chart | { readonly warm: true }): Promise<string> {
  const { parse, View } = await import('vega');
  if ('warm' in chart) return '';
  const refuse = () => Promise.reject(new Error('A chart loads nothing'));
  const loader = { load: refuse, sanitize: refuse, http: refuse, file: refuse };
  const view = new View(parse(vegaSpec(chart) as never), { renderer: 'none', loader });
  try {
    return await view.toSVG();
  } finally {
    view.finalize();
  }
}
