/** Tables drawn with `|`, `+` and `-`, as text browsers, databases and manuals write them, as Markdown. */
import { onOneLine } from './clean-text';
import { toMarkdownTable } from './markdown-table';

const RULE = /^[+|]?[-=+|─┼]{3,}[+|]?$/;

/** @returns `undefined` where the lines are no such table. */
export function drawnTable(lines: readonly string[]): string | undefined {
  const margin = lines[0].length - lines[0].trimStart().length;
  const inner = lines.map((line) => line.slice(margin));
  const framed = inner.every((line) => /^[|+]/.test(line) && /[|+]$/.test(line));
  const edges = framed ? edgesOf(inner) : [];
  if (edges.length < 3) return undefined;
  const rows = rowsOf(inner, edges);
  return rows.length < 2 ? undefined : toMarkdownTable(rows[0], rows.slice(1));
}

/** Where columns meet: at each `+` of a rule, since a `|` may also be in the text. */
function edgesOf(lines: readonly string[]): number[] {
  const edges = lines
    .filter((line) => RULE.test(line))
    .map((line) => [...line].flatMap((character, at) => (/[+|┼]/.test(character) ? [at] : [])));
  return edges.reduce((most, own) => (own.length > most.length ? own : most), []);
}

function rowsOf(lines: readonly string[], edges: readonly number[]): string[][] {
  const groups: string[][] = [[]];
  for (const line of lines) {
    if (!RULE.test(line)) groups[groups.length - 1].push(line);
    else if (groups[groups.length - 1].length > 0) groups.push([]);
  }
  const filled = groups.filter((group) => group.length > 0);
  // Ruled under the heading only: then every line is a row. Ruled everywhere: what is between two rules is.
  const isRuled = filled.length > 2 || filled.every((group) => group.length === 1);
  const rows = isRuled ? filled : filled.flatMap((group, at) => (at === 0 ? [group] : group.map((line) => [line])));
  return rows.map((group) =>
    edges.slice(0, -1).map((edge, at) => onOneLine(group.map((line) => line.slice(edge + 1, edges[at + 1])).join(' '))),
  );
}
