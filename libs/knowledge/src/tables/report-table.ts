import type { SqlNames } from './column-names';
import type { ParquetColumn } from './parquet-writer';
import type { TableDraft } from './table-draft';
import type { ColumnReport, TableReport, ValueCount } from './table-report';
import type { ColumnStatistics } from './table-statistics';

export type ReportedDraft = Pick<
  TableDraft,
  'input' | 'columns' | 'rowCount' | 'hiddenRows' | 'above' | 'below' | 'warnings' | 'preview'
>;

export const columnNames = (
  names: SqlNames,
  columns: readonly Pick<TableDraft['columns'][number], 'original' | 'at' | 'plan'>[],
): ParquetColumn[] =>
  columns.map(({ original, at, plan }) => ({ name: names.name(original, `column_${at + 1}`), type: plan.type }));

export function reportOf(
  draft: ReportedDraft,
  name: string,
  columns: readonly ParquetColumn[],
  hidden: string | undefined,
  statistics: readonly ColumnStatistics[],
): TableReport {
  const { input } = draft;
  return {
    name,
    source: input.source,
    rowCount: draft.rowCount,
    hidden: input.hidden,
    columns: draft.columns.map(({ original, plan, evidence, hidden: isHidden }, at): ColumnReport => {
      const { write: _, reading: __, ...decided } = plan;
      return {
        original,
        ...(columns[at] as ParquetColumn),
        ...decided,
        ...(statistics[at] as ColumnStatistics),
        missing: missingOf(evidence, plan.type),
        hidden: isHidden,
      };
    }),
    ...(hidden !== undefined && { hiddenRows: { column: hidden, count: draft.hiddenRows } }),
    above: draft.above,
    below: draft.below,
    warnings: draft.warnings,
  };
}

function missingOf(
  {
    blank,
    missing,
    errors,
  }: { blank: number; missing: ReadonlyMap<string, number>; errors: ReadonlyMap<string, number> },
  type: string,
): ValueCount[] {
  const written = (type === 'VARCHAR' ? [...errors] : [...missing, ...errors]).sort(
    ([, one], [, other]) => other - one,
  );
  return [...(blank > 0 ? [['', blank] as const] : []), ...written].map(([value, count]) => ({ value, count }));
}
