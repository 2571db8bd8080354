/** Rows of a result as they come in, no further than the limits of a query (SEC-52). */
import type { JsonValue, Row } from './exact-value';
import type { QueryLimits, QueryRows, ResultColumn } from './table-query';

export class RowCollector {
  private readonly rows: Row[] = [];
  private readonly nameBytes: number;
  private bytes = 0;
  private cutBy: QueryRows['cutBy'];

  /** @param names of the columns, where they are told with every row: then they count with every row. */
  constructor(
    private readonly limits: Pick<QueryLimits, 'rows' | 'bytes' | 'cell'>,
    names: readonly string[] = [],
  ) {
    this.nameBytes = names.reduce((sum, name) => sum + Buffer.byteLength(JSON.stringify(name)) + 1, 0);
  }

  /** Takes a row in. False: it is one too many, and so would be every one after it. */
  add(values: Row): boolean {
    if (this.rows.length >= this.limits.rows) return this.cut('rows');
    const row = values.map((value) => this.shortened(value));
    this.bytes += Buffer.byteLength(JSON.stringify(row)) + this.nameBytes;
    if (this.bytes > this.limits.bytes) return this.cut('bytes');
    this.rows.push(row);
    return true;
  }

  result(columns: readonly ResultColumn[]): QueryRows {
    return { kind: 'rows', columns, rows: this.rows, ...(this.cutBy && { cutBy: this.cutBy }) };
  }

  private cut(by: 'rows' | 'bytes'): false {
    this.cutBy = by;
    return false;
  }

  private shortened(value: JsonValue): JsonValue {
    if (typeof value !== 'string' || value.length <= this.limits.cell) return value;
    this.cutBy = 'cell';
    return `${value.slice(0, this.limits.cell).toWellFormed()}…`;
  }
}

/** Names of columns as the keys of an object: a second `total` is `total_1`, or with another mark. */
export function distinctNames(names: readonly string[], mark = '_'): string[] {
  const taken = new Set<string>();
  const given = new Set(names);
  return names.map((name) => {
    let distinct = name;
    for (let count = 1; taken.has(distinct) || (count > 1 && given.has(distinct)); count++) {
      distinct = `${name}${mark}${count}`;
    }
    taken.add(distinct);
    return distinct;
  });
}
