/** One question to one database: described, asked by one statement, told. */
import { text, type ResultContent } from '@app/contract';
import type { SqlDialect } from '@app/models';
import type { Config } from '@app/platform';
import { answerBySql } from '../sql/answer-by-sql';
import type { Catalog } from '../sql/databases/catalog';
import type { DatabaseLimits, DatabaseOutcome } from '../sql/databases/database-engine';
import { databaseResult } from '../sql/databases/database-result';
import type { DatabaseCard, DatabaseSchemas } from '../sql/databases/database-schemas';
import type { OpenDatabase } from '../sql/databases/databases';
import { SqlWriter, type SqlConversation } from '../sql/write-sql';
import { ToolError, type ToolRun } from '../tool';

export interface DatabaseQuestionParts {
  readonly schemas: Pick<DatabaseSchemas, 'describe' | 'forget'>;
  readonly limits: Config['sql'];
}

export interface Asked {
  readonly question: string;
  /** What the caller says of the database. */
  readonly about: string;
  readonly database: OpenDatabase;
}

/** Of one text in a result, in characters. */
const MAX_CELL = 32 * 1024;

const RULES = [
  'The statement is only read: no change, no lock, no function with an effect passes.',
  'Quote names exactly as they are listed. Write a schema where the listed name has one.',
];

/** What the guard refuses although the engine knows it. */
const OF_MYSQL = ['Join texts with CONCAT(), never with ||. Use no variables and no hints.'];
const RULES_OF: Partial<Record<SqlDialect, readonly string[]>> = { MySQL: OF_MYSQL, MariaDB: OF_MYSQL };

export class DatabaseQuestion {
  private described!: DatabaseCard;
  private writer!: SqlWriter;
  private hasLookedAgain = false;

  constructor(
    private readonly parts: DatabaseQuestionParts,
    private readonly asked: Asked,
    private readonly toolRun: ToolRun<'sql_database'>,
  ) {}

  /** @throws ConnectionError; ToolError where no statement gave a result. */
  async answer(): Promise<ResultContent[]> {
    const { model, spent, signal } = this.toolRun;
    this.described = await this.describe();
    if (this.described.card.tables.length === 0) return [text(`No tables are available. ${this.noTables()}`)];
    this.writer = new SqlWriter(model, this.conversation(), spent);
    const answered = await answerBySql(this.writer, (sql) => this.run(sql), this.parts.limits, signal);
    if (answered.kind === 'failed') throw new ToolError(answered.cause);
    if (answered.kind === 'no_answer') return [text(`The tables cannot answer this. ${answered.why}`.trim())];
    const { written, found } = answered;
    const warnings = [...(written.notes ?? []), ...(this.described.catalog.truncated ? [TRUNCATED] : [])];
    return databaseResult(found, { sql: written.sql, warnings, limits: this.parts.limits });
  }

  private describe(): Promise<DatabaseCard> {
    const { caller, signal } = this.toolRun;
    const { database, question } = this.asked;
    const where = { engine: database, target: database.target, wish: database.wish };
    return this.parts.schemas.describe(caller, where, question, signal);
  }

  private conversation(): SqlConversation {
    const { card, dialect, catalog } = this.described;
    const { question, about } = this.asked;
    const task = { question, dialect, tables: card.tables };
    return { task, card: card.text, about, rules: [...RULES, ...(RULES_OF[dialect] ?? []), ...zoneRule(catalog)] };
  }

  /** Runs the statement if its guard lets it pass. */
  private async run(sql: string): Promise<DatabaseOutcome> {
    const { database } = this.asked;
    const { signal } = this.toolRun;
    const { schemas, routines } = this.described.catalog;
    const callable = routines.filter((routine) => routine.kind === 'function' && routine.callable);
    const verdict = await database.guard(sql, { schemas, routines: callable }, signal);
    if (verdict.kind === 'refused') return verdict;
    const { rows, bytes, ms } = this.parts.limits;
    const limits: DatabaseLimits = { rows, bytes, cell: MAX_CELL, ms };
    const outcome = await database.run(verdict.statement, limits, signal);
    if (outcome.kind === 'failed' && NO_SUCH_THING.test(outcome.message)) await this.lookAgain();
    return outcome;
  }

  /** What is named and not there may be what was read of the schema a while ago. */
  private async lookAgain(): Promise<void> {
    if (this.hasLookedAgain) return;
    this.hasLookedAgain = true;
    const { target, wish } = this.asked.database;
    const before = this.described.card.text;
    this.parts.schemas.forget(this.toolRun.caller, target, wish);
    this.described = await this.describe();
    if (this.described.card.text !== before) this.writer.startOver(this.conversation());
  }

  private noTables(): string {
    const { schemas } = this.asked.database.wish;
    const where = schemas ? ` in ${schemas.length === 1 ? 'the schema' : 'the schemas'} ${schemas.join(', ')}` : '';
    return `The user of this database may read none${where}.`;
  }
}

/** A name from the database is data; one that looks like no zone says nothing. */
const zoneRule = ({ timeZone }: Catalog): string[] =>
  /^[\w/+:-]{1,64}$/.test(timeZone) ? [`Sessions are in the time zone ${timeZone}.`] : [];

/** Engines say by number that a name is not there. */
const NO_SUCH_THING = /\b(?:42P01|42703|42883|3F000|1146|1054|1305|1049|20[78])\b|^there is no (?:table|column)/;

const TRUNCATED =
  'The database has more tables than were looked at (DATABASE_MAX_OBJECTS); naming its schema narrows it down.';
