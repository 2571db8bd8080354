/** Whether the right rows are among the columns, in any order of rows. */
export function sameRows(rows: readonly Record<string, unknown>[], right: readonly (readonly unknown[])[]): boolean {
  if (rows.length !== right.length) return false;
  if (rows.length === 0) return true;
  const names = Object.keys(rows[0]!);
  const width = right[0]!.length;
  const wanted = right.map((row) => JSON.stringify(row.map(plain))).sort();
  const tries = (chosen: readonly string[]): boolean => {
    if (chosen.length === width) {
      const got = rows.map((row) => JSON.stringify(chosen.map((name) => plain(row[name])))).sort();
      return got.every((row, i) => row === wanted[i]);
    }
    return names.some((name) => !chosen.includes(name) && tries([...chosen, name]));
  };
  return tries([]);
}

/** Numbers, however they are written, to nine digits. */
function plain(value: unknown): unknown {
  const number =
    typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)) ? Number(value) : NaN;
  if (!Number.isNaN(number)) return Number(number.toPrecision(9));
  return typeof value === 'string' ? value.replace(/ 00:00:00$/, '') : value;
}
