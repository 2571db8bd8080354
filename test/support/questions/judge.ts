/** Whether an answer is the right one. */
import type { Cell } from './schema';

/** Whether the right rows are among the columns, in any order of rows. */
export function sameRows(rows: readonly (readonly unknown[])[], right: readonly (readonly Cell[])[]): boolean {
  if (rows.length !== right.length) return false;
  if (rows.length === 0) return true;
  const width = right[0]!.length;
  const wanted = right.map((row) => JSON.stringify(row.map(plain))).sort();
  const tries = (chosen: readonly number[]): boolean => {
    if (chosen.length === width) {
      const got = rows.map((row) => JSON.stringify(chosen.map((at) => plain(row[at])))).sort();
      return got.every((row, i) => row === wanted[i]);
    }
    return rows[0]!.some((_, at) => !chosen.includes(at) && tries([...chosen, at]));
  };
  return tries([]);
}

/** Numbers, however they are written, to nine digits. */
function plain(value: unknown): unknown {
  if (typeof value === 'boolean') return Number(value);
  const number =
    typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?(?:e[+-]?\d+)?$/.test(value))
      ? Number(value)
      : NaN;
  return Number.isNaN(number) ? value : Number(number.toPrecision(9));
}
