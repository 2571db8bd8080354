/** Runs a statement that was looked through: in its exact form where it has one, and as it is where that fails. */
import type { DuckDBConnection, DuckDBPreparedStatement, DuckDBResult } from '@duckdb/node-api';
import { distinctNames, RowCollector } from '../row-collector';
import type { QueryRows, ResultColumn, TableQuery } from '../table-query';
import { cutsIn, exactForm, floatingIn, type ExactForm } from './exact-aggregates';
import { namedNumbers } from './named-numbers';
import { treeOf, type TreeNode } from './statement-tree';
import { exactJson, hasNamelessParts } from './values';

export interface CheckedStatement extends TableQuery {
  /** The statement as it is. */
  readonly prepared: DuckDBPreparedStatement;
  /** Sees the tables and nothing else. */
  readonly connection: DuckDBConnection;
  /** Sees nothing. */
  readonly parser: DuckDBConnection;
  /** Whether the time of the query has passed. */
  readonly isLate: () => boolean;
}

/** What no statement without one of these can gain by. */
const MAY_ROUND =
  /avg|mean|median|quantile|percentile|sum|\/|\^|\*\*|\de|stddev|var|corr|regr|aggr|sem|mad|product|entropy|kurtosis|skewness|round|decimal|numeric|dec\b|double|float|real|pow|fdiv|fmod|sqrt|cbrt|exp|ln|log|format|printf|nextafter/i;

/** @throws what DuckDB throws over the statement as it is. */
export async function runExactly(statement: CheckedStatement): Promise<QueryRows> {
  const { prepared, sql, tables, limits, parser, connection } = statement;
  if (!MAY_ROUND.test(sql)) return readRows(await prepared.stream(), limits, namesOf(prepared));
  const tree = await treeOf(parser, sql);
  const named = namedNumbers(tree, tables);
  const told = (rows: QueryRows, ran: TreeNode, form?: ExactForm): QueryRows => ({
    ...rows,
    ...(named.long && { longNumbers: { rounded: isRounded(rows, ran, form), ...meanDigitsOf(form) } }),
    ...(hasDecimals(rows) && cutsIn(ran, form) && { cutMedians: true }),
  });
  try {
    const exactTree = structuredClone(tree);
    const form = await exactForm(parser, connection, exactTree, named);
    if (form) {
      const statements = await connection.extractStatements(form.sql);
      const exact = await statements.prepare(0);
      return told(await readRows(await exact.stream(), limits, namesOf(prepared)), exactTree, form);
    }
  } catch (error) {
    // Too large a number for a DECIMAL, say. An answer in floating point, which says so, is better than none.
    if (statement.isLate()) throw error;
  }
  return told(await readRows(await prepared.stream(), limits, namesOf(prepared)), tree);
}

/** What the columns are called as the statement stands, each by a name of its own. */
const namesOf = (prepared: DuckDBPreparedStatement): string[] =>
  distinctNames(
    Array.from({ length: prepared.columnCount }, (_, i) => prepared.columnName(i)),
    ':',
  );

const meanDigitsOf = (form?: ExactForm) => form?.digits !== undefined && { meanDigits: form.digits };

const hasDecimals = ({ columns }: QueryRows): boolean => columns.some(({ type }) => type.includes('DECIMAL'));

function isRounded({ columns }: QueryRows, ran: TreeNode, form?: ExactForm): boolean {
  const hasFloat = columns.some(({ type }) => /\b(?:DOUBLE|FLOAT)\b/.test(type));
  return floatingIn(ran) || (hasFloat && form !== undefined);
}

const NAMELESS =
  'A result cannot show values such as (a, b), whose parts have no names of their own: select the parts as columns, or ' +
  'name them with struct_pack(a := a, b := b).';

/** Row by row, and no further than the limits: what lies behind them is not computed where it need not be. */
async function readRows(
  result: DuckDBResult,
  limits: TableQuery['limits'],
  names: readonly string[],
): Promise<QueryRows> {
  const types = result.columnTypes();
  if (types.some(hasNamelessParts)) throw new Error(NAMELESS);
  const columns = names.map((name, i): ResultColumn => ({ name, type: String(types[i]) }));
  const collector = new RowCollector(limits, names);
  for (;;) {
    const chunk = await result.fetchChunk();
    if (!chunk || chunk.rowCount === 0) return collector.result(columns);
    for (const values of chunk.getRows()) {
      if (!collector.add(values.map((value, i) => exactJson(value, types[i])))) return collector.result(columns);
    }
  }
}
