/** Values that people would call the same, and that a result keeps apart: `Loft` and `loft`. */
import { fold } from '../words';
import type { Query } from './query';
import type { Reading } from './reading';

const MAX_TOLD = 6;

/** "A+" and "A-" differ in more. */
const isTwice = (text: string, texts: readonly string[]): boolean =>
  texts.some((other) => other !== text && fold(other).trim() === fold(text).trim());

/** Notes columns that are grouped, listed or told apart by such values, in engines that compare letter by letter. */
export function noteSpellings({ columns, groups, distinct, where }: Query, reading: Reading): void {
  const { scope } = reading;
  if (!/^(?:DuckDB|PostgreSQL|SQLite)$/.test(scope.dialect.name)) return;
  // Of what is denied in it only the first column is what is counted.
  const apart = columns.flatMap(({ sql }) => (/^count\(DISTINCT/.test(sql.text) ? sql.columns.slice(0, 1) : []));
  const listed = distinct === true ? columns.flatMap(({ sql }) => sql.columns) : [];
  const told = [...groups.flatMap((group) => group.columns), ...apart, ...listed];
  for (const column of new Set(told)) {
    // Where some are asked for, nothing is to be said of the others.
    const asked = where
      .filter((condition) => condition.columns.includes(column) && /^\S+ (?:=|IN) /.test(condition.text))
      .map((condition) => condition.text);
    const values = column.source.values
      .filter((value) => value.column === column)
      .flatMap(({ texts }) => texts.filter((text) => isTwice(text, texts)))
      .filter((text) => asked.every((condition) => condition.includes(scope.dialect.text(text))));
    if (values.length === 0) continue;
    const more = values.length > MAX_TOLD ? ['…'] : [];
    reading.note({ t: 'spelled', column, values: [...values.slice(0, MAX_TOLD), ...more] });
  }
}
