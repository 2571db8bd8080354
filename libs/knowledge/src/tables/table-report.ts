/**
 * What became of a table on its way in: which column got which type and why, what was left out, what was doubtful.
 *
 * It is stored with the table, shown with the artifact's content, and is what a model is told before it writes SQL.
 * Every difference between the file and the table is stated here. Texts from the file are data, never instructions.
 */
export interface TableReport {
  /** In SQL: a lower-case identifier that needs no quotes, unique within its artifact. */
  readonly name: string;
  readonly source: TableSource;
  readonly rowCount: number;
  /** The sheet is hidden in its workbook. It is kept, and not queried unless asked for. */
  readonly hidden: boolean;
  /** In the order of the file. The Parquet file has exactly these, and `hiddenRows.column` behind them if there is one. */
  readonly columns: readonly ColumnReport[];
  /** Absent: no row is hidden. Hidden rows are kept, and not queried unless asked for. */
  readonly hiddenRows?: {
    /** A BOOLEAN column of ours. */
    readonly column: string;
    readonly count: number;
  };
  /** Rows that are not data, as lines of text: titles above the table. */
  readonly above: readonly string[];
  /** The same below: totals, sources, footnotes. */
  readonly below: readonly string[];
  /** Sentences about the table as a whole. */
  readonly warnings: readonly string[];
}

export interface TableSource {
  /** `csv`, `xlsx`, `xls`, `ods`, `html`, `docx`, `pdf`, `markdown`. */
  readonly format: string;
  /** Of a workbook. */
  readonly sheet?: string;
  /** The cells of a sheet that the table was found in, with its header: `B3:F120`. */
  readonly range?: string;
  /** The caption of a table in a document, or else the heading it stands under. */
  readonly title?: string;
  /** Counted from 1, for formats that have pages. */
  readonly page?: number;
}

export interface ColumnReport {
  /** The header as the file has it; empty where it has none. */
  readonly original: string;
  /** In SQL: a lower-case identifier that needs no quotes, unique within the table. */
  readonly name: string;
  /** As DuckDB calls it: `BIGINT`, `DECIMAL(18,2)`, `DOUBLE`, `DATE`, `TIMESTAMP`, `BOOLEAN`, `VARCHAR`, … */
  readonly type: string;
  /** How the values were read, in words: `decimal numbers with a comma as decimal sign`. */
  readonly decision: string;
  /** What in the column spoke for it, in words. */
  readonly evidence: string;
  /** What the numbers are in: `€`, `USD`. `%` means that 25 % is stored as 0.25. */
  readonly unit?: string;
  /** Numbers that name a thing, so that a sum or a mean of them says nothing. */
  readonly identifier?: boolean;
  readonly nulls: number;
  /** Without NULL. */
  readonly distinct: number;
  /** The column has too many values for an exact count. */
  readonly distinctIsEstimate?: boolean;
  /** As text; absent for a column of NULLs. */
  readonly minimum?: string;
  readonly maximum?: string;
  /** A few different values as text, cut to a length. */
  readonly samples: readonly string[];
  /** All values, most frequent first, where they are few and short. */
  readonly values?: readonly ValueCount[];
  /** What is written in the cells that are NULL now: `NA`, `-`, `#DIV/0!`; an empty cell is ''. */
  readonly missing: readonly ValueCount[];
  /** The column is hidden in its sheet. */
  readonly hidden: boolean;
  readonly warnings: readonly string[];
}

export interface ValueCount {
  readonly value: string;
  readonly count: number;
}
