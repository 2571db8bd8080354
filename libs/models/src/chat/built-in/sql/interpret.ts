/** The query that the items of a question make, where they make exactly one. */
import { quantityColumn, type Column, type DescribedTable } from './described-table';
import { takeFilters } from './filters';
import type { Aggregate, ChartType, Meaning, Unit } from './lexicon';
import type { Query } from './query';
import { NotUnderstood, type Item } from './read-question';

type Group = { readonly sql: string; readonly as: string; readonly column?: Column; readonly unit?: Unit };
type Super = Extract<Meaning, { t: 'super' }>;

const MAX_LIMIT = 1000;

/** @throws NotUnderstood */
export function interpret(items: readonly Item[], table: DescribedTable): Query {
  return new Interpreter(items, table).query();
}

class Interpreter {
  private readonly where: string[];
  private items: Item[];
  private groups: Group[] = [];
  private readonly comparesSums: boolean;
  private chart?: { readonly type?: ChartType };
  private order?: { readonly most: boolean };

  constructor(
    items: readonly Item[],
    private readonly table: DescribedTable,
  ) {
    const filtered = takeFilters(items, table);
    this.where = [...filtered.where];
    this.comparesSums = filtered.comparesSums;
    this.items = filtered.items.filter(({ t }) => t !== 'to');
  }

  query(): Query {
    // "the highest price and its product" asks for two things.
    const joins = this.items.findIndex(({ t }) => t === 'and');
    const joined = joins < 0 ? undefined : this.items[joins + 1];
    if (joined?.t === 'noun' || joined?.t === 'rows') throw this.fails();
    this.takeChart();
    this.takeOrder();
    const superlative = this.take('super');
    const most = superlative.length === 1 ? (superlative[0] as Super) : undefined;
    if (superlative.length > 1) throw this.fails();
    const hasAggregate = this.items.some(({ t }) => t === 'aggregate' || t === 'count');
    if (this.chart?.type === 'histogram' || this.chart?.type === 'scatter') return this.points();
    this.takeGroups(most !== undefined);
    if (most) return this.ranked(most);
    if (this.take('share').length > 0) return this.share();
    if (this.items.some(({ t }) => t === 'number')) throw this.fails();
    return hasAggregate || this.items.some(({ t }) => t === 'much') || this.groups.length > 0
      ? this.computed()
      : this.listed();
  }

  private fails(word = ''): NotUnderstood {
    return new NotUnderstood('pattern', word);
  }

  /** Removes all items of a kind. */
  private take<T extends Item['t']>(...types: readonly T[]): Extract<Item, { t: T }>[] {
    const taken = this.items.filter(({ t }) => types.includes(t as T));
    this.items = this.items.filter(({ t }) => !types.includes(t as T));
    return taken as Extract<Item, { t: T }>[];
  }
  private takeColumns(): Extract<Item, { t: 'column' }>[] {
    return this.take('column').filter(({ isVerb }) => !isVerb);
  }

  private takeChart(): void {
    const charts = this.take('chart');
    const types = [...new Set(charts.flatMap(({ type }) => (type ? [type] : [])))];
    if (types.length > 1) throw this.fails();
    if (charts.length > 0) this.chart = { ...(types[0] && { type: types[0] }) };
  }

  private takeOrder(): void {
    const orders = this.take('order');
    if (orders.length > 1) throw this.fails();
    [this.order] = orders;
  }

  /** What follows "by", unless it is what a ranking goes by; a time unit groups without it. */
  private takeGroups(ranked: boolean): void {
    const rest: Item[] = [];
    const { items } = this;
    for (let at = 0; at < items.length; at++) {
      const item = items[at]!;
      const next = items[at + 1];
      if (item.t === 'by' && (next?.t === 'noun' || next?.t === 'rows') && this.isMean()) {
        // "average units per order": a row is an order.
        at++;
      } else if (item.t === 'by' && next && !(ranked && this.isMeasure(next))) {
        const group = this.groupOf(next);
        // "the amount per unit" is a quotient.
        if (!group || (group.column?.isAdditive && !ranked)) throw this.fails();
        this.groups.push(group);
        at++;
        // "by region and product", and also "by region and by product".
        while (
          items[at + 1]?.t === 'and' &&
          items[at + 2] &&
          this.groupOf(items[at + 2]!) &&
          !(ranked && this.isMeasure(items[at + 2]!))
        ) {
          this.groups.push(this.groupOf(items[at + 2]!)!);
          at += 2;
        }
      } else if (item.t === 'by' && ranked) continue;
      else if (item.t === 'unit' && !(ranked && this.groups.length === 0)) this.groups.push(this.groupOf(item)!);
      else rest.push(item);
    }
    this.items = rest;
    if (new Set(this.groups.map(({ as }) => as)).size < this.groups.length) throw this.fails();
  }

  private isMean(): boolean {
    return this.items.some((item) => item.t === 'aggregate' && (item.fn === 'avg' || item.fn === 'median'));
  }

  private isMeasure(item: Item): boolean {
    return item.t === 'aggregate' || item.t === 'count' || (item.t === 'column' && this.isQuantity(item.column));
  }

  private isQuantity({ kind, isIdentifier }: Column): boolean {
    return kind === 'number' && !isIdentifier;
  }

  private groupOf(item: Item): Group | undefined {
    if (item.t === 'column') return { sql: item.column.name, as: item.column.name, column: item.column };
    if (item.t === 'unit') return this.timeGroup(item.unit);
    return undefined;
  }

  private timeGroup(unit: Unit): Group {
    const dates = this.table.columns.filter(({ kind }) => kind === 'date');
    const mentioned = this.items.flatMap((item) => (item.t === 'column' && item.column.kind === 'date' ? [item] : []));
    const [one] = dates.length === 1 ? dates : mentioned.map(({ column }) => column);
    if (!one || (dates.length > 1 && mentioned.length !== 1)) throw this.fails();
    if (dates.length > 1) this.items = this.items.filter((item) => item !== mentioned[0]);
    const { name } = one;
    const sql = {
      day: `strftime(${name}, '%Y-%m-%d')`,
      month: `strftime(${name}, '%Y-%m')`,
      quarter: `year(${name}) || '-Q' || quarter(${name})`,
      year: `year(${name})`,
    }[unit];
    return { sql, as: freeName(unit, this.table), unit };
  }

  /** A scatter or histogram shows the rows themselves. */
  private points(): Query {
    this.take('which', 'and', 'by', 'rows', 'noun', 'versus');
    const columns = this.takeColumns().map(({ column }) => column);
    const isHistogram = this.chart!.type === 'histogram';
    const isRight = columns.length === (isHistogram ? 1 : 2) && columns.every((column) => column.kind === 'number');
    if (!isRight || this.items.length > 0) throw this.fails();
    const [x, y] = columns.map(({ name }) => name);
    return this.made({
      columns: columns.map(({ name }) => ({ sql: name, as: name })),
      where: columns.map(({ name }) => `${name} IS NOT NULL`),
      chart: { type: this.chart!.type!, x: x!, y: y === undefined ? [] : [y] },
    });
  }

  /** Counts and aggregates, in all or by groups. */
  private computed(): Query {
    this.take('which');
    const measures = this.measures();
    this.take('and', 'sell');
    if (this.items.length > 0) throw this.fails();
    const last = measures.at(-1)!;
    const order = this.order ? [`${last.as} ${this.order.most ? 'DESC' : 'ASC'}`] : this.groups.map(({ as }) => as);
    return this.made({
      columns: [...this.groups, ...measures],
      groups: this.groups.length,
      order: this.groups.length > 0 ? order : [],
      ...(this.chart && this.groups.length > 0 && { chart: this.chartOf(measures) }),
    });
  } /** The part that one condition makes of all rows, or of their sum. */
  private share(): Query {
    this.take('which', 'and', 'noun', 'rows');
    const columns = this.takeColumns().map(({ column }) => column);
    const [condition] = this.where;
    const [column] = columns;
    const isSum = column?.isAdditive && columns.length === 1;
    if (this.items.length > 0 || this.chart || this.groups.length > 0 || this.where.length !== 1) throw this.fails();
    if (columns.length > 0 && !isSum) throw this.fails();
    const whole = column ? `sum(${column.name})` : 'count(*)';
    const part = `100 * ${whole} FILTER (WHERE ${condition}) / ${whole}`;
    this.where.length = 0;
    return this.made({ columns: [{ sql: part, as: freeName('percentage', this.table) }] });
  }

  private chartOf(measures: readonly { as: string }[]) {
    const [group] = this.groups;
    const type = this.chart!.type ?? (group!.unit || group!.column?.kind === 'date' ? 'line' : 'bar');
    return { type, x: group!.as, y: measures.map(({ as }) => as) };
  }

  private measures(): { sql: string; as: string }[] {
    const counts = this.take('count');
    const much = this.take('much');
    const aggregates = [...new Set(this.take('aggregate').map(({ fn }) => fn))];
    const distinct = this.take('distinct').length > 0;
    const nouns = this.take('noun', 'rows');
    const columns = this.takeColumns();
    const sells = this.items.some(({ t }) => t === 'sell');
    if (counts.length > 1 || (counts.length > 0 && much.length > 0)) throw this.fails();
    if (counts.length > 0) {
      // "total number of"
      if (aggregates.some((fn) => fn !== 'sum')) throw this.fails();
      return [this.counted(columns, nouns.length > 0, distinct)];
    }
    if (distinct) throw this.fails();
    // The "articles" of "the average price of the articles", where each row is one.
    const named = columns.map(({ column }) => column).filter(({ kind, isUnique }) => !(kind === 'text' && isUnique));
    const fns = aggregates.length > 0 ? aggregates : (['sum'] as const);
    if (named.length === 0) named.push(this.revenue(fns, nouns.length > 0 || sells || much.length > 0));
    // Only what adds up is added up without being asked for.
    if (
      aggregates.length === 0 &&
      !named.every((column) => column.isAdditive || (much.length > 0 && column.isRevenue))
    ) {
      throw this.fails();
    }
    // The mean of a month's amounts, or of the months' sums?
    const isMean = fns.some((fn) => fn === 'avg' || fn === 'median');
    if (isMean && this.groups.some(({ unit }) => unit) && named.some(({ isAdditive }) => isAdditive))
      throw this.fails();
    return named.flatMap((column) => fns.map((fn) => this.aggregate(fn, column)));
  }

  private counted(columns: readonly Extract<Item, { t: 'column' }>[], rows: boolean, distinct: boolean) {
    const all = { sql: 'count(*)', as: freeName('n', this.table) };
    if (columns.length === 0) {
      if (distinct || !(rows || this.where.length > 0 || this.groups.length > 0)) throw this.fails();
      return all;
    }
    const [{ column, isPart }] = columns as [Extract<Item, { t: 'column' }>];
    if (columns.length > 1 || rows) throw this.fails();
    if (!distinct && this.isQuantity(column)) {
      // "how many units": a quantity, not a price.
      if (isPart || !column.isAdditive || column.isRevenue) throw this.fails();
      return this.aggregate('sum', column);
    }
    // Customers with more than 5 units: in one order, or in all of theirs?
    if (this.comparesSums && !column.isUnique) throw this.fails(column.name);
    return { sql: `count(DISTINCT ${column.name})`, as: freeName('n', this.table) };
  }

  private aggregate(fn: Aggregate, column: Column): { sql: string; as: string } {
    const mayHave =
      fn === 'min' || fn === 'max' ? column.kind === 'number' || column.kind === 'date' : this.isQuantity(column);
    if (!mayHave) throw this.fails(column.name);
    return {
      sql: `${fn}(${fn === 'median' ? exactly(column) : column.name})`,
      as: freeName(`${fn}_${column.name}`, this.table),
    };
  }

  /** "Total sales", "how much did we sell": the one column of money taken in, where the table has one. */
  private revenue(fns: readonly Aggregate[], isMeant: boolean): Column {
    const columns = this.table.columns.filter(({ isRevenue }) => isRevenue);
    if (!isMeant || columns.length !== 1 || !fns.every((fn) => fn === 'sum' || fn === 'avg')) throw this.fails();
    return columns[0]!;
  }

  /** The most or the least: one number, the rows that have it, or the groups. */
  private ranked(most: Super): Query {
    if (this.order) throw this.fails();
    const numbers = this.take('number');
    if (numbers.length > 1) throw this.fails();
    const limit = numbers[0]?.value ?? 1;
    if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT || numbers[0]?.percent) throw this.fails();
    const which = this.take('which');
    const when = this.take('when').length > 0;
    const units = this.take('unit');
    const sells = this.take('sell').length > 0;
    this.take('and');
    const aggregates = this.take('aggregate');
    const counts = this.take('count').length > 0;
    const nouns = this.take('noun', 'rows').length > 0;
    const columns = this.takeColumns().map(({ column }) => column);
    if (this.items.length > 0 || aggregates.length > 1 || this.chart?.type === 'line') throw this.fails();
    const implied = most.implies && quantityColumn(most.implies, this.table);
    if (most.implies && !implied) throw this.fails();
    if (implied && !columns.includes(implied)) columns.push(implied);
    const measured = columns.filter((column) => this.isQuantity(column));
    const labels = columns.filter((column) => !this.isQuantity(column));
    if (units.length > 1 || (units.length > 0 && labels.length > 0)) throw this.fails();
    if (units[0]) this.groups.unshift(this.groupOf(units[0])!);
    const fn = aggregates[0]?.fn;
    const isGrouped = this.groups.length > 0 || fn !== undefined || counts || most.counts;
    if (isGrouped && !this.isOneEach(labels, fn)) {
      return this.rankedGroups({ most, limit, labels, measured, fn, counts, nouns, sells, when });
    }
    if (counts || fn !== undefined || this.groups.length > 0 || sells) throw this.fails();
    return this.rankedRows({
      most,
      limit,
      labels,
      measured,
      nouns,
      when,
      who: which.some(({ who }) => who),
      many: numbers.length > 0,
    });
  }

  /** Whether every row is its own group, so that nothing is added up. */
  private isOneEach(labels: readonly Column[], fn: Aggregate | undefined): boolean {
    return fn === undefined && this.groups.length === 0 && labels.length === 1 && labels[0]!.isUnique;
  }

  private rankedGroups(asked: {
    readonly most: Super;
    readonly limit: number;
    readonly labels: readonly Column[];
    readonly measured: readonly Column[];
    readonly fn?: Aggregate;
    readonly counts: boolean;
    readonly nouns: boolean;
    readonly sells: boolean;
    readonly when: boolean;
  }): Query {
    const { most, limit, labels, measured, fn, counts, nouns, sells, when } = asked;
    if (when || labels.length > 1) throw this.fails();
    if (labels[0]) this.groups.push({ sql: labels[0].name, as: labels[0].name, column: labels[0] });
    if (this.groups.length !== 1 || measured.length > 1) throw this.fails();
    const measure = this.rankMeasure({ most, measured, fn, counts, nouns, sells });
    const [group] = this.groups as [Group];
    // Groups without any such row would be the least, and are not there.
    const isAmount = fn === undefined || fn === 'sum';
    if (!most.most && isAmount && (this.where.length > 0 || group.unit)) throw this.fails();
    return this.made({
      columns: [group, measure],
      groups: 1,
      where: [`${group.column?.name ?? this.dateOf(group)} IS NOT NULL`],
      rank: { sql: measure.sql, most: most.most, limit },
      ...(this.chart && { chart: this.chartOf([measure]) }),
    });
  }

  private dateOf({ sql }: Group): string {
    return /\(([^,)]+)/.exec(sql)![1]!;
  }

  private rankMeasure({
    most,
    measured,
    fn,
    counts,
    nouns,
    sells,
  }: {
    most: Super;
    measured: readonly Column[];
    fn?: Aggregate;
    counts: boolean;
    nouns: boolean;
    sells: boolean;
  }) {
    const [column] = measured;
    if (fn !== undefined) {
      if (counts) throw this.fails();
      return this.aggregate(fn, column ?? this.revenue([fn], nouns || sells));
    }
    if (counts || (most.counts && !column)) {
      // "sold the most" may be units or money.
      if (column || !nouns || sells) throw this.fails();
      return { sql: 'count(*)', as: freeName('n', this.table) };
    }
    if (!column?.isAdditive || !most.counts) throw this.fails();
    return this.aggregate('sum', column);
  }

  private rankedRows(asked: {
    readonly most: Super;
    readonly limit: number;
    readonly labels: readonly Column[];
    readonly measured: readonly Column[];
    readonly nouns: boolean;
    readonly when: boolean;
    readonly who: boolean;
    readonly many: boolean;
  }): Query {
    const { most, limit, labels, measured, nouns, when, who, many } = asked;
    const [measure] = measured;
    if (!measure || measured.length > 1 || most.counts || most.isVague || labels.length > 1) throw this.fails();
    const dates = this.table.columns.filter(({ kind }) => kind === 'date');
    const label = labels[0] ?? (when && dates.length === 1 ? dates[0] : undefined);
    if (when && !label) throw this.fails();
    if (!label && !nouns && !who) {
      // "the highest price": the number itself.
      if (many) throw this.fails();
      return this.made({ columns: [this.aggregate(most.most ? 'max' : 'min', measure)] });
    }
    // Which region has the highest amount: of one row, or of all its rows? Only where each has one row is it clear.
    if (label && !label.isUnique && !when) throw this.fails(label.name);
    if (label && nouns && !when) throw this.fails();
    const columns = label ? [label, measure].map(({ name }) => ({ sql: name, as: name })) : [{ sql: '*', as: '*' }];
    return this.made({
      columns,
      where: [`${measure.name} IS NOT NULL`],
      rank: { sql: measure.name, most: most.most, limit },
      ...(this.chart && label && { chart: { type: this.chart.type ?? 'bar', x: label.name, y: [measure.name] } }),
    });
  }

  /** Values of columns, or whole rows. */
  private listed(): Query {
    if (this.chart) throw this.fails();
    const asks: Item[] = this.take<'which' | 'when'>('which', 'when');
    this.take('and', 'distinct');
    const nouns = this.take('noun', 'rows').length > 0;
    const columns = this.takeColumns().map(({ column }) => column);
    if (this.items.length > 0 || asks.length === 0) throw this.fails();
    if (asks.some((ask) => ask.t === 'when')) {
      const dates = this.table.columns.filter(({ kind }) => kind === 'date');
      if (columns.length > 0 || dates.length !== 1 || this.where.length === 0) throw this.fails();
      columns.push(dates[0]!);
    }
    if (this.comparesSums && columns.some(({ isUnique }) => !isUnique)) throw this.fails();
    if (columns.length === 0) {
      if (!nouns || this.where.length === 0) throw this.fails();
      return this.made({ columns: [{ sql: '*', as: '*' }] });
    }
    return this.made({
      columns: columns.map(({ name }) => ({ sql: name, as: name })),
      distinct: true,
      order: this.order
        ? columns.map(({ name }) => `${name} ${this.order!.most ? 'DESC' : 'ASC'}`)
        : columns.map(({ name }) => name),
    });
  }

  private made(query: Partial<Query> & Pick<Query, 'columns'>): Query {
    return { table: this.table.name, groups: 0, ...query, where: [...this.where, ...(query.where ?? [])] };
  }
}

/** The median of a DECIMAL has its decimals and no more: that of 1.1 and 1.2 would be 1.1. */
function exactly({ name, spec }: Column): string {
  const [, width, scale] = /^DECIMAL\((\d+),(\d+)\)$/.exec(spec.type) ?? [];
  if (width === undefined) return name;
  return Number(width) < 38 ? `${name}::DECIMAL(38,${Number(scale) + 1})` : `${name}::DOUBLE`;
}

/** A name for a result column that no column of the table has. */
function freeName(wanted: string, { columns }: DescribedTable): string {
  let name = wanted;
  while (columns.some((column) => column.name === name)) name += '_';
  return name;
}
