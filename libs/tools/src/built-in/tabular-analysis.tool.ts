import { OverloadedError, PlatformError, text, type ResultContent } from '@app/contract';
import type { StoredTable, TableStore } from '@app/knowledge';
import { TaskCrashedError, TaskTimeoutError, type Config } from '@app/platform';
import { z } from 'zod';
import { answerBySql } from '../sql/answer-by-sql';
import { chartOf, type Chart } from '../sql/chart/chart';
import type { ChartPainter } from '../sql/chart/chart-painter';
import { chartFile, queryResult } from '../sql/query-result';
import { schemaCard } from '../sql/schema-card';
import { asksForHidden, hasLongNumbers, scopeOf, type ScopedTable } from '../sql/scope';
import type { TableEngine } from '../sql/table-engine';
import type { LongNumbers, QueryOutcome, QueryRows } from '../sql/table-query';
import { SqlWriter, type Written } from '../sql/write-sql';
import { defineTool, ToolError, type ToolRun } from '../tool';
import { narrow } from './narrow';

const MAX_WARNINGS = 5;
/** How often a question is asked anew because artifacts were replaced under it. */
const ATTEMPTS = 3;
const RULES = [
  'Dates are DATE or TIMESTAMP values: compare them with DATE literals, group them with date_trunc.',
  'Divide with /, which gives fractions. Texts match with = or ILIKE.',
  'Columns that are identifiers are not added up.',
  'Where the question asks for a chart, add a second block that begins with ```chart and holds JSON such as ' +
    '{"type": "bar", "x": "month", "y": ["total"], "title": "..."}; types are bar, line, scatter and histogram, and x and ' +
    'y name columns of the result. A histogram has only x.',
];

export interface TabularAnalysisParts {
  readonly tables: Pick<TableStore, 'find'>;
  readonly engine: Pick<TableEngine, 'run'>;
  readonly painter: Pick<ChartPainter, 'draw'>;
  readonly limits: Config['sql'];
}

/** Answers questions over the tables of the ingested documents by computing them (messages-api §6.2). */
export const tabularAnalysis = (parts: TabularAnalysisParts) =>
  defineTool({
    name: 'tabular_analysis',
    description:
      'Answer a question by computing over the tables (CSV files, spreadsheets, tables in documents) among the ' +
      'ingested documents: counts, sums, averages, rankings, filters, comparisons, charts. Returns the SQL that was ' +
      'run, the number of rows and the rows. Ask one complete question; do not write SQL.',
    needs: {
      kind: 'ingested_artifact',
      otherwise: 'Tabular data analysis tool requires an ingested artifact context.',
      atMostOne: 'Only one ingested context is supported.',
    },
    input: z.object({
      query: z
        .string()
        .min(1)
        .max(32_768)
        .describe('The question, complete and in plain words. Say it if a chart is wanted.'),
      artifacts: z.array(z.string()).optional().describe('Ids of the artifacts to look in. Leave out to look in all.'),
    }),

    check: async ({ caller, context: [scope] }) => {
      await parts.tables.find(caller, scope!.context_filter);
    },

    async execute({ query, artifacts }, run) {
      const filter = narrow(run.context[0]!.context_filter, artifacts);
      let unread: string | undefined;
      for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
        const stored = await parts.tables.find(run.caller, filter);
        const same = stored.find(({ file }) => file === unread);
        if (same) throw unreadable(same);
        const tables = scopeOf(stored, { hidden: asksForHidden(query) });
        if (tables.length === 0) return [text('No tables are available.')];
        try {
          return await new Analysis(parts, query, tables, run).answer();
        } catch (error) {
          if (!(error instanceof UnreadableError)) throw error;
          unread = error.file;
        }
      }
      throw new OverloadedError('The documents are replaced while their tables are read. Try again in a moment.', {
        retryAfter: 1,
      });
    },
  });

/** A table in scope has lost its file, or has a damaged one. */
class UnreadableError extends Error {
  constructor(readonly file: string) {
    super('A table cannot be read');
  }
}

const unreadable = ({ fileName }: StoredTable) =>
  new PlatformError(
    'api_error',
    `The tables of ${fileName} cannot be read: their data on the server is missing or damaged. Delete the document and ingest it again.`,
  );

class Analysis {
  private readonly writer: SqlWriter;

  constructor(
    private readonly parts: TabularAnalysisParts,
    question: string,
    private readonly tables: readonly ScopedTable[],
    private readonly toolRun: ToolRun<'ingested_artifact'>,
  ) {
    const described = tables.map((table) => table.described);
    const card = schemaCard(described, parts.limits.cardTokens);
    const task = { question, dialect: 'DuckDB' as const, tables: card.tables };
    this.writer = new SqlWriter(toolRun.model, { task, card: card.text, rules: RULES }, toolRun.spent);
  }

  /**
   * @throws ToolError where no statement gave a result; UnreadableError where a table is not there any more. What was
   *   written for it is no question to what took its place: its columns and values may mean something else.
   */
  async answer(): Promise<ResultContent[]> {
    const run = (sql: string) => this.run(sql);
    const answer = await answerBySql(this.writer, run, this.parts.limits, this.toolRun.signal);
    if (answer.kind === 'rows') return this.result(answer.written, answer.found);
    if (answer.kind === 'failed') throw new ToolError(answer.cause);
    return [text(`The tables cannot answer this. ${answer.why}`.trim())];
  }

  private async run(sql: string): Promise<QueryOutcome> {
    const { caller, signal } = this.toolRun;
    const queried = this.tables.map((table) => table.queried);
    const outcome = await this.parts.engine.run(caller, sql, queried, signal);
    if (outcome.kind === 'unreadable') throw new UnreadableError(outcome.file);
    return outcome;
  }

  private async result(
    { sql, chart, notes = [] }: Written & { kind: 'sql' },
    found: QueryOutcome & { kind: 'rows' },
  ): Promise<ResultContent[]> {
    const drawn = chart === undefined ? undefined : await this.draw(chart, found);
    const ofChart =
      drawn === undefined ? [] : typeof drawn === 'string' ? [`There is no chart: ${drawn}.`] : drawn.warnings;
    const cut = found.cutMedians ? [CUT_MEDIANS] : [];
    const warnings = [...notes, ...cut, ...this.warnings(sql, found.longNumbers), ...ofChart];
    const result = queryResult(found, { sql, warnings, limits: this.parts.limits });
    return typeof drawn === 'object' ? [...result, drawn.file] : result;
  }

  /** The chart as a file, or why there is none: the rows are an answer without it. */
  private async draw(
    wanted: unknown,
    found: QueryOutcome & { kind: 'rows' },
  ): Promise<{ readonly file: ResultContent; readonly warnings: readonly string[] } | string> {
    const chart = chartOf(wanted, found);
    if (typeof chart === 'string') return chart;
    try {
      const file = chartFile(await this.parts.painter.draw(chart, this.toolRun.signal));
      return { file, warnings: chartWarnings(chart, found) };
    } catch (error) {
      this.toolRun.signal.throwIfAborted();
      const isKnown = [TaskTimeoutError, TaskCrashedError, OverloadedError].some((kind) => error instanceof kind);
      if (isKnown) return 'it could not be drawn';
      throw error;
    }
  }

  /** What the import found doubtful in the tables and columns that the statement names, and how far numbers are exact. */
  private warnings(sql: string, long: LongNumbers | undefined): string[] {
    const said = new Set(sql.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []);
    const used = this.tables.map(({ described }) => described).filter(({ name }) => said.has(name));
    const exactness = long && exactnessInWords(long);
    const warnings = used.flatMap(({ name, notes, columns }) => [
      ...columns
        .filter((column) => exactness && said.has(column.name) && hasLongNumbers(column))
        .map((column) => `${name}.${column.name}: ${exactness}`),
      ...notes.map((note) => `${name}: ${note}`),
      ...columns
        .filter((column) => said.has(column.name))
        .flatMap((column) => column.notes.map((note) => `${name}.${column.name}: ${note}`)),
    ]);
    return warnings.slice(0, MAX_WARNINGS);
  }
}

/** What the picture does not show. */
function chartWarnings({ leftOut }: Chart, { cutBy }: QueryRows): string[] {
  const warnings: string[] = [];
  if (leftOut > 0) {
    warnings.push(
      `The chart leaves out ${leftOut} ${leftOut === 1 ? 'value that is no number' : 'values that are no numbers'} it could draw.`,
    );
  }
  if (cutBy === 'rows' || cutBy === 'bytes')
    warnings.push('The chart shows the rows that follow, and none of those cut off.');
  return warnings;
}

const CUT_MEDIANS =
  'a median or quantile in this form is cut to the decimals of its column; median(column) of a plain column is exact';

function exactnessInWords({ rounded, meanDigits }: LongNumbers): string | undefined {
  if (rounded) {
    return 'has numbers with more digits than floating point keeps; what is divided or formatted, and deviations and the like, are exact to some 15 digits';
  }
  return meanDigits === undefined
    ? undefined
    : `averages are exact, and rounded to ${meanDigits} decimals more than the column has`;
}
