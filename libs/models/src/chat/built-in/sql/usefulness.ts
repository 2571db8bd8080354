/** What a question may speak of at all: decided once for each table, column and value, whatever they are joined to. */
import type { DescribedTable, PlainColumn, PlainValue } from './described-table';
import { formsOf } from './forms';
import type { Wording } from './read-question';
import type { Source } from './scope';
import { mayBeSaid } from './values';

export class Usefulness {
  private readonly forms: ReadonlySet<string>;
  private readonly tables = new Map<DescribedTable, boolean>();
  private readonly columns = new Map<PlainColumn, boolean>();
  private readonly values = new Map<PlainValue, boolean>();

  constructor(private readonly wording: Wording) {
    const words = wording.words.filter(({ kind }) => kind === 'word');
    this.forms = new Set(words.flatMap(({ text }) => [...formsOf(text)]));
  }

  ofSource({ table, names }: Source): boolean {
    return names.some(({ words }) => this.isSaid(words)) || this.ofTable(table);
  }

  ofColumn(column: PlainColumn): boolean {
    return remembered(this.columns, column, () =>
      [...column.names, column.head ?? []].some((name) => this.isSaid(name)),
    );
  }

  ofValue(value: PlainValue): boolean {
    return remembered(this.values, value, () => mayBeSaid(value, this.wording.words));
  }

  private ofTable(table: DescribedTable): boolean {
    const isUseful = () =>
      table.columns.some((column) => this.ofColumn(column)) || table.values.some((value) => this.ofValue(value));
    return remembered(this.tables, table, isUseful);
  }

  private isSaid(name: readonly string[]): boolean {
    return name.some((word) => [...formsOf(word)].some((form) => this.forms.has(form)));
  }
}

function remembered<K>(known: Map<K, boolean>, key: K, decide: () => boolean): boolean {
  const found = known.get(key) ?? decide();
  known.set(key, found);
  return found;
}
