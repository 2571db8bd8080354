import type { Row } from './cell';
import type { Dialect } from './delimited-dialect';
import type { TableSource } from './table-report';
import type { TextFile } from './text-file';

/** One place in a file that looks like a table, whose rows can be read more than once. */
export interface TableInput {
  readonly source: TableSource;
  /** What its SQL name is made of. */
  readonly title: string;
  readonly hidden: boolean;
  /** Columns, counted from 0, that are hidden in their sheet. */
  readonly hiddenColumns?: ReadonlySet<number>;
  /** Rows at the top that the format itself marks as header. Absent: it does not say. */
  readonly headerRows?: number;
  /** What was done to the cells before. */
  readonly warnings: readonly string[];
  /** What the report says behind all warnings: less sure to matter. */
  readonly remarks?: readonly string[];
  /** The delimiter is a semicolon. */
  readonly semicolons?: boolean;
  rows(): Iterable<Row>;
  /** Of a delimited text: how DuckDB's own reader could take it. */
  readonly delimited?: { readonly dialect: Dialect; readonly text: TextFile };
  /** The same without quotation marks, for a text in which one is never closed. */
  readonly unquoted?: TableInput;
}

export interface TableLimits {
  readonly maxColumns: number;
  readonly maxRows: number;
  /** Characters of one cell. */
  readonly maxCell: number;
  /** Sheets of one workbook. */
  readonly maxSheets: number;
  /** Cells of one workbook. */
  readonly maxSheetCells: number;
  /** Rows of each table that are searchable as text. */
  readonly maxTextRows: number;
  /** Smaller delimited files are read in no time anyway. */
  readonly quickFromBytes: number;
  /** For DuckDB. */
  readonly memoryMb: number;
}

export const TABLE_LIMITS: TableLimits = {
  maxColumns: 4096,
  maxRows: 50_000_000,
  maxCell: 1024 * 1024,
  maxSheets: 100,
  maxSheetCells: 5_000_000,
  maxTextRows: 500,
  quickFromBytes: 4 * 1024 * 1024,
  memoryMb: 160,
};
