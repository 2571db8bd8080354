/** What the columns of a result are called. */
import { fold } from '../words';
import type { Column } from './described-table';
import type { Selected } from './query';
import type { Scope } from './scope';
import { sql } from './sql';

/** A name for something computed that no column has. */
export function freeName(wanted: string, { root, columns }: Scope): string {
  let name = wanted;
  const taken = new Set([...root.columns, ...columns].map((column) => bareName(column)));
  while (taken.has(name)) name += '_';
  return name;
}

/** A column as it is; of another table, with that table's name. */
export function shown(column: Column, scope: Scope): Selected {
  if (column.source === scope.root && !column.json) return { sql: sql`${column}`, as: column.name };
  if (column.json) return { sql: sql`${column}`, as: plainName(column.json.join('_')) };
  const { table, names } = column.source;
  const noun = names[0]?.words.join('_') ?? table.spec.original ?? table.spec.name;
  const own = bareName(column);
  const singular = plainName(noun).replace(/(?<=[^s])s$/, '');
  return { sql: sql`${column}`, as: own.startsWith(singular) ? own : `${singular}_${own}` };
}

export const measureName = (fn: string, column: Column, scope: Scope): string =>
  freeName(`${fn}_${bareName(column)}`, scope);

const bareName = ({ name, spec, json }: Column): string =>
  json ? plainName(json.join('_')) : /^[a-z_][a-z0-9_]*$/.test(name) ? name : plainName(spec.original || name);

function plainName(text: string): string {
  const plain = fold(text.replace(/(?<=[\p{Ll}\d])(?=\p{Lu})/gu, '_'))
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
  return /^[a-z]/.test(plain) ? plain : `c_${plain}`;
}
