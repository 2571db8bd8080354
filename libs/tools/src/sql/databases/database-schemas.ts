/**
 * What a model is told of a database for one question: the catalog as it was read lately, the tables that matter, and
 * what their rows look like; within the budget of the card and the limits of what may be shown (SEC-53).
 */
import type { Caller } from '@app/access';
import type { SqlDialect } from '@app/models';
import { schemaCard, type SchemaCard } from '../schema-card';
import type { Catalog, CatalogWish, TableSample } from './catalog';
import type { CatalogCache } from './catalog-cache';
import type { DatabaseEngine } from './database-engine';
import { describeTable, nameTables, type NamedCatalog, type NamedTable } from './describe-catalog';
import { questionTerms } from './question-terms';
import { relevantColumns } from './relevant-columns';
import { RelevantTables } from './relevant-tables';
import { routineLines } from './routine-lines';
import type { Target } from './target';

/** Objects, and bytes in tokens of 3.6, that a model is shown at most (SEC-53). */
const MAX_OBJECTS = 500;
const MAX_TOKENS = Math.floor((200 * 1024) / 3.6);
/** Tables whose rows are looked at for one question. */
const MAX_SAMPLED = 16;
/** Of the card, what functions and procedures may take. */
const ROUTINES_SHARE = 0.12;

export interface DatabaseCard {
  readonly catalog: Catalog;
  readonly dialect: SqlDialect;
  readonly card: SchemaCard;
}

/** What of an engine reads; a caller may put its own between, to count or to hold back. */
export type SchemaSource<T extends Target> = Pick<DatabaseEngine<T>, 'dialectOf' | 'readCatalog' | 'sample'>;

export class DatabaseSchemas {
  /** As long as the catalog itself is kept; it was read for one wish. */
  private readonly named = new WeakMap<Catalog, NamedCatalog>();

  constructor(
    private readonly cache: CatalogCache,
    private readonly relevance: RelevantTables,
    private readonly cardTokens: number,
  ) {}

  /** @throws ConnectionError; the signal's reason. */
  async describe<T extends Target>(
    caller: Caller,
    { engine, target, wish }: { engine: SchemaSource<T>; target: T; wish: CatalogWish },
    question: string,
    signal: AbortSignal,
  ): Promise<DatabaseCard> {
    const read = (reading: AbortSignal) => engine.readCatalog(target, wish, reading);
    const catalog = await this.cache.catalog(caller, target, wish, read, signal);
    const dialect = engine.dialectOf(catalog);
    const named = this.nameTables(catalog, dialect, wish);
    const guess = await this.relevance.choose(question, named, signal);
    const samples = await this.samples(caller, engine, target, guess.tables.slice(0, MAX_SAMPLED), signal);
    const { tables, first } = await this.relevance.choose(question, named, signal, samples);
    return { catalog, dialect, card: await this.card(question, named, { tables, first, samples }) };
  }

  /** For a statement that named what is no longer there. */
  forget(caller: Caller, target: Target, wish: CatalogWish): void {
    this.cache.forget(caller, target, wish);
  }

  private nameTables(catalog: Catalog, dialect: SqlDialect, wish: CatalogWish): NamedCatalog {
    const before = this.named.get(catalog);
    if (before?.dialect === dialect) return before;
    const named = nameTables(catalog, dialect, wish);
    this.named.set(catalog, named);
    return named;
  }

  private samples<T extends Target>(
    caller: Caller,
    engine: SchemaSource<T>,
    target: T,
    tables: readonly NamedTable[],
    signal: AbortSignal,
  ): Promise<TableSample[]> {
    const names = tables.map(({ table: { schema, name } }) => ({ schema, name }));
    const read: Parameters<CatalogCache['samples']>[3] = (some, reading) => engine.sample(target, some, reading);
    return this.cache.samples(caller, target, names, read, signal);
  }

  private async card(
    question: string,
    named: NamedCatalog,
    { tables, first, samples }: { tables: readonly NamedTable[]; first: number; samples: readonly TableSample[] },
  ): Promise<SchemaCard> {
    const maxTokens = Math.min(this.cardTokens, MAX_TOKENS);
    const routines = await routineLines(question, named.catalog, Math.floor(maxTokens * ROUTINES_SHARE));
    const shown = tables.slice(0, MAX_OBJECTS - routines.length);
    const sampleOf = ({ table }: NamedTable) =>
      samples.find(({ schema, name }) => schema === table.schema && name === table.name);
    const words = questionTerms(question);
    return schemaCard(
      shown.map((one) =>
        describeTable(one, named, { sample: sampleOf(one), columns: relevantColumns(one.table, words) }),
      ),
      maxTokens,
      { first, routines, leftOut: named.tables.length - shown.length },
    );
  }
}
