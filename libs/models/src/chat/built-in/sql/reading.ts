/** A question while it becomes a query: the items that are not yet used, and what those that are have come to. */
import type { Column } from './described-table';
import { isOf, type Item, type ItemOf } from './items';
import type { ChartType, Unit } from './lexicon';
import type { Note } from './notes';
import type { Selected } from './query';
import type { Scope, Source } from './scope';
import type { Sql } from './sql';

/** What rows are put together by: a column, a period, or the rows of another table, with all that they show. */
export interface Group {
  readonly selected: readonly Selected[];
  readonly column?: Column;
  readonly unit?: Unit;
  /** The date that a period is taken of. */
  readonly date?: Column;
  readonly source?: Source;
}

export class Reading {
  readonly where: Sql[] = [];
  readonly notes: Note[] = [];
  /** What a ranking goes by. */
  ranksBy?: Item;
  /** How many rows a group has to have. */
  having?: { readonly op: string; readonly value: number };
  /** A verb that holds for all rows: "paid" of payments. */
  saysWhatAllDid = false;
  readonly verbs: Column[] = [];
  groups: Group[] = [];
  chart?: { readonly type?: ChartType };
  order?: { readonly most: boolean };
  /** More is asked of the row that has the most than what that is. */
  showsRows = false;
  /** Two periods or values are held against each other, each a group. */
  compares = false;
  /** Columns that were compared with a number. */
  readonly compared = new Set<Column>();
  /** Columns whose values were listed with "and", taken for either of them. */
  readonly joinsByAnd: Column[] = [];
  /** What is said holds for all of the rows, or for none: "only", "no cancelled ones". */
  lacks = false;
  /** "Only" is said, or what holds for all of somebody's rows. */
  saysOnly = false;
  /** Columns of which something is denied, but not of rows that are named before: "reps with no cancelled orders". */
  readonly denied = new Set<Column>();
  /** What is denied there, as it would hold. */
  readonly deniedConditions: Sql[] = [];
  /** Columns that a condition was made of. */
  readonly asked = new Set<Column>();

  constructor(
    readonly scope: Scope,
    public items: Item[],
  ) {}

  /** Removes all items of some kinds. */
  take<T extends Item['t']>(...types: readonly T[]): ItemOf<T>[] {
    const taken = this.items.filter(({ t }) => types.includes(t as T));
    this.items = this.items.filter(({ t }) => !types.includes(t as T));
    return taken as ItemOf<T>[];
  }

  /** Those that are asked for; the dates that verbs speak of are kept in `verbs`. */
  takeColumns(): ItemOf<'column'>[] {
    const taken = this.take('column');
    this.verbs.push(...taken.flatMap(({ column, isVerb }) => (isVerb ? [column] : [])));
    return taken.filter(({ isVerb }) => !isVerb);
  }

  has(...types: readonly Item['t'][]): boolean {
    return this.items.some(({ t }) => types.includes(t));
  }

  /** Adds a condition, and remembers what it is on. */
  require(condition: Sql): void {
    this.where.push(condition);
    for (const column of condition.columns) this.asked.add(column);
  }

  note(note: Note): void {
    if (!this.notes.some((one) => isSame(one, note))) this.notes.push(note);
  }

  /** Whether other rows are asked for by what is said of theirs: those with both of two, or with none at all? */
  asksOfAll(source: Source): boolean {
    const isOwn = (column: Column) => {
      for (let one: Source | undefined = column.source; one?.joined; one = one.joined.from)
        if (one === source) return true;
      return false;
    };
    return this.lacks || [...this.joinsByAnd, ...this.denied].some((column) => !isOwn(column));
  }

  /** The same of values of columns: those that no such row has, or those that some other row has? */
  asksOfAllWith(columns: readonly Column[]): boolean {
    if (columns.some(({ isUnique }) => isUnique)) return false;
    return this.saysOnly || [...this.denied].some((column) => !columns.includes(column));
  }

  /**
   * Notes that something is denied of what stands before it.
   *
   * @param condition what is denied, as it would hold.
   */
  deny(column: Column, before: Item | undefined, condition: Sql): void {
    const isOfRows = isOf(before, 'noun', 'rows') || (before?.t === 'column' && before.isVerb === true);
    if (isOfRows) return;
    this.denied.add(column);
    this.deniedConditions.push(condition);
  }

  /**
   * What holds for none of the rows of a thing that is asked for, where the question says nothing else: "which products
   * are not of category X" are those that no row has in X.
   */
  deniedOfAll({ isUnique, source }: Column): Sql | undefined {
    const [condition] = this.deniedConditions;
    const isAll = this.where.length === 1 && this.deniedConditions.length === 1 && !this.saysOnly;
    return isAll && !isUnique && source === this.scope.root ? condition : undefined;
  }

  /** A quantity that may be meant per row or in sum is compared with a number. */
  get comparesSums(): boolean {
    return [...this.compared].some(({ isAdditive }) => isAdditive);
  }
}

const isSame = (one: Note, other: Note): boolean =>
  one.t === other.t && ('column' in one ? 'column' in other && one.column === other.column : true);
