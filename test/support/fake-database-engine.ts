/** A database in this process: it has what the test says, and runs what the test lets it. */
import type { Catalog, CatalogTable, CatalogWish, TableSample } from '../../libs/tools/src/sql/databases/catalog';
import type {
  CheckedStatement,
  DatabaseEngine,
  DatabaseOutcome,
  GuardScope,
  Verdict,
} from '../../libs/tools/src/sql/databases/database-engine';
import type { Target } from '../../libs/tools/src/sql/databases/target';
import type { JsonValue } from '../../libs/tools/src/sql/exact-value';

export const table = (name: string, columns: Readonly<Record<string, string>>, more: Partial<CatalogTable> = {}) => ({
  schema: 'public',
  name,
  kind: 'table' as const,
  columns: Object.entries(columns).map(([column, type]) => ({ name: column, type, nullable: true })),
  primaryKey: [],
  foreignKeys: [],
  ...more,
});

export const rows = (...found: Readonly<Record<string, JsonValue>>[]): DatabaseOutcome => ({
  kind: 'rows',
  columns: Object.keys(found[0] ?? { n: 0 }).map((name) => ({ name, type: 'text' })),
  rows: found.map((row) => Object.values(row)),
  timeZone: 'Europe/Madrid',
});

type Step = DatabaseOutcome | Error | ((sql: string, signal: AbortSignal) => Promise<DatabaseOutcome>);

export class FakeDatabaseEngine implements DatabaseEngine {
  readonly wishes: CatalogWish[] = [];
  readonly targets: Target[] = [];
  readonly scopes: GuardScope[] = [];
  readonly ran: string[] = [];
  /** What the next statements come to; the last goes on. */
  outcomes: Step[] = [rows({ n: 1 })];
  catalog: Catalog = {
    product: 'PostgreSQL 15.20',
    timeZone: 'Europe/Madrid',
    schemas: ['public'],
    tables: [table('ventas', { region: 'text', importe: 'numeric(12,2)' })],
    routines: [],
    truncated: false,
  };
  failure: Error | undefined;

  dialectOf() {
    return 'PostgreSQL' as const;
  }

  async readCatalog(target: Target, wish: CatalogWish): Promise<Catalog> {
    await this.reached(target);
    this.wishes.push(wish);
    return this.catalog;
  }

  sample(): Promise<TableSample[]> {
    return Promise.resolve([]);
  }

  guard(sql: string, scope: GuardScope): Promise<Verdict> {
    this.scopes.push(scope);
    const [word = ''] = sql.split(/\s/);
    return Promise.resolve(
      /^select$/i.test(word)
        ? { kind: 'passed', statement: { sql, schemas: scope.schemas, calls: [] } }
        : { kind: 'refused', token: word, reason: 'only SELECT is run' },
    );
  }

  async run(
    target: Target,
    { sql }: CheckedStatement,
    _limits: unknown,
    signal: AbortSignal,
  ): Promise<DatabaseOutcome> {
    await this.reached(target);
    this.ran.push(sql);
    const next = this.outcomes.length > 1 ? this.outcomes.shift()! : this.outcomes[0]!;
    if (next instanceof Error) throw next;
    return typeof next === 'function' ? next(sql, signal) : next;
  }

  private reached(target: Target): Promise<void> {
    this.targets.push(target);
    return this.failure ? Promise.reject(this.failure) : Promise.resolve();
  }
}
