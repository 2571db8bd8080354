/** The tables of a file: each drafted, written as Parquet, and reported. */
import { mkdirSync } from 'node:fs';
import type { DocumentBlock } from '../parsers/parser';
import { SqlNames } from './column-names';
import { ParquetWriter } from './parquet-writer';
import { importFast } from './import-fast';
import { draftTable, type TableDraft } from './table-draft';
import type { TableInput, TableLimits } from './table-input';
import { columnNames, reportOf } from './report-table';
import type { TableReport } from './table-report';
import { readStatistics } from './table-statistics';
import { tableBlocks } from './table-text';

export interface ImportedTable {
  /** The Parquet file, below the job's folder. */
  readonly file: string;
  readonly report: TableReport;
}

export interface ImportedTables {
  readonly tables: readonly ImportedTable[];
  /** The visible tables as text, for the search. */
  readonly blocks: readonly DocumentBlock[];
}

/** More tables of one file stay text. */
const MAX_TABLES = 500;
const MAX_WHOLE_ROWS = 20_000;

/**
 * @param folder of this job alone; made when there is something to write, and nothing but the tables is left in it.
 * @throws LimitExceededError
 */
export async function importTables(
  inputs: readonly TableInput[],
  folder: string,
  limits: TableLimits,
): Promise<ImportedTables> {
  const tables: ImportedTable[] = [];
  const blocks: DocumentBlock[] = [];
  const names = new SqlNames();
  let writer: ParquetWriter | undefined;
  try {
    for (const input of inputs.slice(0, MAX_TABLES)) {
      mkdirSync(folder, { recursive: true });
      writer ??= await ParquetWriter.open(folder, limits);
      const file = `${tables.length}.parquet`;
      const fast = await importFast(writer, input, limits, file);
      const slow = fast ? undefined : draftTable(input, limits);
      if (slow?.columns.length === 0) continue;
      const name = names.name(input.title, `table_${tables.length + 1}`);
      const report = slow ? await writeTable(writer, slow, name, file) : fast?.report(name);
      const draft = slow ?? fast?.draft;
      if (!report || !draft) continue;
      tables.push({ file, report });
      if (!input.hidden) blocks.push(...tableBlocks(draft, report.name));
    }
  } finally {
    writer?.close();
  }
  return { tables, blocks };
}

/** The tables as text alone, all of their rows. Hidden sheets are left out. */
export function wholeTables(inputs: readonly TableInput[], limits: TableLimits): DocumentBlock[] {
  return inputs
    .filter(({ hidden }) => !hidden)
    .flatMap((input) => tableBlocks(draftTable(input, { ...limits, maxTextRows: MAX_WHOLE_ROWS }), input.title));
}

async function writeTable(writer: ParquetWriter, draft: TableDraft, name: string, file: string): Promise<TableReport> {
  const names = new SqlNames();
  const columns = columnNames(names, draft.columns);
  const hidden = draft.hiddenRows > 0 ? names.name('row_is_hidden', 'row_is_hidden') : undefined;
  await writer.write(draft, columns, hidden, file);
  const statistics = await readStatistics(writer, file, columns, draft.rowCount);
  return reportOf(draft, name, columns, hidden, statistics);
}
