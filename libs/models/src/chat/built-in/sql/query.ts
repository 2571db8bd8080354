/** A query of the family that the built-in model writes, and its SQL. */
import type { Column } from './described-table';
import type { Dialect } from './dialect';
import { fold } from '../words';
import type { ChartType } from './lexicon';
import type { Source } from './scope';
import { Sql, type Subquery } from './sql';

export interface Selected {
  readonly sql: Sql;
  readonly as: string;
}

export interface Query {
  readonly root: Source;
  /** None: the rows as they are. */
  readonly columns: readonly Selected[];
  readonly distinct?: boolean;
  readonly where: readonly Sql[];
  readonly having?: readonly Sql[];
  /** What the rows are grouped by. */
  readonly groups: readonly Sql[];
  /** Only the rows, or groups, with the most or the least; those that are equal all count. */
  readonly rank?: {
    readonly sql: Sql;
    readonly most: boolean;
    readonly limit: number;
    readonly within?: readonly Selected[];
  };
  readonly order?: readonly { readonly as: string; readonly most: boolean }[];
  readonly chart?: { readonly type: ChartType; readonly x: string; readonly y: readonly string[] };
}

export function toSql(query: Query, dialect: Dialect): string {
  return new Writer(
    dialect,
    sourcesOf(query),
    query.where.some(({ subqueries }) => subqueries.length > 0),
  ).write(query);
}

/** The sources that a query needs, with those that lead to them, the root first. */
export function sourcesOf({ root, columns, where, having, groups, rank }: Query): readonly Source[] {
  const some = [...columns.map((one) => one.sql), ...where, ...(having ?? []), ...groups, ...(rank ? [rank.sql] : [])];
  return withThoseBetween(
    root,
    some.flatMap((one) => one.columns),
  );
}

function withThoseBetween(root: Source, columns: readonly Column[]): readonly Source[] {
  const found = new Set<Source>([root]);
  const add = (source: Source): void => {
    if (found.has(source)) return;
    if (source.joined) add(source.joined.from);
    found.add(source);
  };
  for (const { source } of columns) add(source);
  return [...found];
}

class Writer {
  private readonly aliases = new Map<Source, string>();
  private readonly isBare: boolean;

  constructor(
    private readonly dialect: Dialect,
    sources: readonly Source[],
    hasSubquery: boolean,
  ) {
    this.isBare = sources.length === 1 && !hasSubquery;
    for (const source of sources) this.name(source);
    this.sources = sources;
  }
  private readonly sources: readonly Source[];

  write(query: Query): string {
    const { columns, distinct, where, having, groups, rank, order } = query;
    const isRanked = rank !== undefined && !this.dialect.hasQualify;
    const rows = columns.length === 0;
    const list = rows
      ? [isRanked ? this.everyColumn(query.root) : this.all(query.root)]
      : columns.map((one) => this.selected(one));
    const within = rank?.within ?? [];
    const parts = within.length > 0 ? `PARTITION BY ${within.map(({ sql }) => this.text(sql)).join(', ')} ` : '';
    const place = rank && `rank() OVER (${parts}ORDER BY ${this.text(rank.sql)} ${rank.most ? 'DESC' : 'ASC'})`;
    if (isRanked) list.push(`${place} AS place`);
    const lines = [`SELECT ${distinct ? 'DISTINCT ' : ''}${list.join(', ')}`, ...this.from(query.root, this.sources)];
    if (where.length > 0) lines.push(`WHERE ${this.all_(where)}`);
    if (groups.length > 0) lines.push(`GROUP BY ${this.groupsOf(query).join(', ')}`);
    if (having && having.length > 0) lines.push(`HAVING ${this.all_(having)}`);
    if (isRanked) {
      const outer = rows ? this.names(query.root) : columns.map(({ as }) => as);
      return [
        `SELECT ${outer.join(', ')}`,
        `FROM (`,
        ...lines.map((line) => `  ${line}`),
        ') ranked',
        `WHERE place <= ${rank!.limit}`,
        `ORDER BY ${[...within.map(({ as }) => as), 'place'].join(', ')}`,
      ].join('\n');
    }
    if (rank)
      lines.push(
        `QUALIFY ${place} <= ${rank.limit}`,
        `ORDER BY ${[...within.map(({ as }) => as), `${this.text(rank.sql)} ${rank.most ? 'DESC' : 'ASC'}`].join(', ')}`,
      );
    else if (order?.length)
      lines.push(`ORDER BY ${order.map(({ as, most }) => (most ? `${as} DESC` : as)).join(', ')}`);
    return lines.join('\n');
  }

  /** By their place where the engine knows it. */
  private groupsOf({ groups, columns }: Query): string[] {
    const isFirst = groups.every((group, i) => columns[i]?.sql === group);
    return this.dialect.hasQualify && isFirst
      ? groups.map((_, i) => String(i + 1))
      : groups.map((group) => this.text(group));
  }

  private all_(conditions: readonly Sql[]): string {
    return conditions.map((condition) => this.text(condition)).join(' AND ');
  }

  private from(root: Source, sources: readonly Source[]): string[] {
    const named = (source: Source): string => {
      const { name } = source.table.spec;
      return this.isBare ? name : `${name} AS ${this.aliases.get(source)!}`;
    };
    return [
      `FROM ${named(root)}`,
      ...sources.slice(1).map((source) => {
        const { on, isRequired } = source.joined!;
        const pairs = on.map(([from, to]) => `${this.column(to)} = ${this.column(from)}`);
        return `${isRequired ? 'JOIN' : 'LEFT JOIN'} ${named(source)} ON ${pairs.join(' AND ')}`;
      }),
    ];
  }

  private all(root: Source): string {
    return this.isBare ? '*' : `${this.aliases.get(root)!}.*`;
  }

  private everyColumn(root: Source): string {
    return root.columns
      .filter(({ json }) => !json)
      .map((column) => this.column(column))
      .join(', ');
  }

  private names = (root: Source): string[] => root.columns.filter(({ json }) => !json).map(({ name }) => name);

  private selected({ sql, as }: Selected): string {
    const text = this.text(sql);
    return text === as ? text : `${text} AS ${as}`;
  }

  private text({ parts }: Sql): string {
    return parts
      .map((part) => (typeof part === 'string' ? part : 't' in part ? this.subquery(part) : this.column(part)))
      .join('');
  }

  private column({ source, name, json }: Column): string {
    const written = this.isBare ? name : `${this.aliases.get(source)!}.${name}`;
    return json ? this.dialect.jsonText(written, json) : written;
  }

  private subquery({ select, where, root }: Subquery): string {
    const inside = where.flatMap(({ columns }) => columns).filter(({ source }) => !this.aliases.has(source));
    const sources = withThoseBetween(root, inside);
    for (const source of sources) this.name(source);
    const lines = [`SELECT ${this.text(select)}`, ...this.from(root, sources), `WHERE ${this.all_(where)}`];
    return `(${lines.join(' ')})`;
  }

  /** Initials, and a number where those are taken or may be a word of SQL. */
  private name(source: Source): void {
    const { original, name } = source.table.spec;
    const words = fold(original ?? name)
      .split(/[^a-z0-9]+/)
      .filter((word) => /^[a-z]/.test(word));
    const initials =
      words
        .map((word) => word[0])
        .join('')
        .slice(0, 3) || 't';
    const taken = new Set(this.aliases.values());
    let alias = initials.length > 1 ? `${initials}1` : initials;
    for (let i = 1; taken.has(alias); i++) alias = `${initials}${i}`;
    this.aliases.set(source, alias);
  }
}
