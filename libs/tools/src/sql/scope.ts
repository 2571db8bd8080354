/** The tables of a request as SQL sees them: each under one name of its own, without what is hidden in its file. */
import type { StoredTable } from '@app/knowledge';
import type { SqlColumn, SqlTable } from '@app/models';
import type { QueriedTable } from './table-query';

export interface ScopedTable {
  readonly queried: QueriedTable;
  readonly described: SqlTable;
}

const ASKS_FOR_HIDDEN = /\b(?:hidden|ocult[oa]s?|escondid[oa]s?)\b/i;

/** Hidden sheets, rows and columns are kept, and queried where the question speaks of them. */
export const asksForHidden = (question: string): boolean => ASKS_FOR_HIDDEN.test(question);

export function scopeOf(stored: readonly StoredTable[], { hidden }: { readonly hidden: boolean }): ScopedTable[] {
  const visible = stored.filter(({ report }) => hidden || !report.hidden);
  const names = uniqueNames(visible);
  return visible.map((table, i) => scoped(table, names[i]!, hidden));
}

function scoped({ file, fileName, report }: StoredTable, sqlName: string, hidden: boolean): ScopedTable {
  const shown = report.columns.filter((column) => hidden || !column.hidden);
  const { hiddenRows } = report;
  const columns = shown.map(({ name }) => name);
  const rowCount = report.rowCount - (hidden || !hiddenRows ? 0 : hiddenRows.count);
  const notes = [...report.warnings];
  if (hiddenRows && !hidden) notes.push(`${hiddenRows.count} rows that are hidden in the file are left out.`);
  return {
    queried: {
      sqlName,
      file,
      columns: hidden && hiddenRows ? [...columns, hiddenRows.column] : columns,
      ...(hiddenRows && !hidden && { unless: hiddenRows.column }),
      ...namesWhere('longNumbers', shown, hasLongNumbers),
      ...namesWhere('floats', shown, ({ type }) => type === 'DOUBLE'),
    },
    described: {
      name: sqlName,
      origin: originOf(fileName, report.source),
      rowCount,
      columns: shown.map(
        ({
          name,
          original,
          type,
          unit,
          identifier,
          nulls,
          distinct,
          minimum,
          maximum,
          samples,
          values,
          warnings,
        }): SqlColumn => ({
          name,
          original,
          type,
          ...(unit !== undefined && { unit }),
          ...(identifier && { identifier }),
          nulls,
          distinct,
          ...(minimum !== undefined && { minimum }),
          ...(maximum !== undefined && { maximum }),
          samples,
          ...(values && { values }),
          notes: warnings,
        }),
      ),
      notes,
    },
  };
}

type Reported = StoredTable['report']['columns'][number];

function namesWhere(key: 'longNumbers' | 'floats', columns: readonly Reported[], holds: (column: Reported) => boolean) {
  const names = columns.filter(holds).map(({ name }) => name);
  return names.length > 0 && { [key]: names };
}

/** Whether a column of exact numbers has some that a 64-bit float does not keep. */
export function hasLongNumbers({ type, minimum, maximum }: Pick<SqlColumn, 'type' | 'minimum' | 'maximum'>): boolean {
  if (!/INT|^DECIMAL/.test(type)) return false;
  const scale = Number(/,(\d+)\)$/.exec(type)?.[1] ?? 0);
  const limit = scale === 0 ? Number.MAX_SAFE_INTEGER : 10 ** (15 - scale);
  return [minimum, maximum].some((value) => value !== undefined && Math.abs(Number(value)) >= limit);
}

const originOf = (fileName: string, { sheet, title, page }: StoredTable['report']['source']): string =>
  [fileName, sheet && `sheet ${sheet}`, title && `“${title}”`, page && `page ${page}`].filter(Boolean).join(', ');

/** A table's own name where it is the only one, else with its file's name before it, and counted if need be. */
function uniqueNames(tables: readonly StoredTable[]): string[] {
  const shared = new Set<string>();
  const seen = new Set<string>();
  for (const { report } of tables) (seen.has(report.name) ? shared : seen).add(report.name);
  const taken = new Set<string>();
  return tables.map(({ fileName, report }) => {
    const wanted = shared.has(report.name) ? joined(identifier(fileName), report.name) : report.name;
    let name = wanted;
    for (let count = 2; taken.has(name); count++) name = `${wanted}_${count}`;
    taken.add(name);
    return name;
  });
}

const joined = (file: string, table: string): string =>
  file === '' || table === file || table.startsWith(`${file}_`) ? table : `${file}_${table}`;

const identifier = (fileName: string): string =>
  fileName
    .replace(/\.[^.]{1,8}$/, '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .replace(/^(?=\d)/, 't_')
    .slice(0, 40);
