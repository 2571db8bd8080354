/** A result as a CSV file that a spreadsheet opens without running anything (SEC-67). */
import type { JsonValue, Row } from './exact-value';

/**
 * UTF-8 text with CRLF line ends. NULL is an empty cell, an empty text is `""`. A text that a spreadsheet would take for
 * a formula gets an apostrophe before it, unless it is a number; the rows in the result itself are exact.
 *
 * @param isExact for readers that run nothing: every text is itself.
 */
export function toCsv(columns: readonly string[], rows: readonly Row[], { isExact = false } = {}): string {
  const line = (values: Row) => values.map((value) => cell(value, isExact)).join(',');
  return `${[columns, ...rows].map(line).join('\r\n')}\r\n`;
}

/** Spreadsheets of some countries take the wide signs for the plain ones. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

function cell(value: JsonValue, isExact: boolean): string {
  if (value === null) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const safe = !isExact && FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return text === '' || /[",\r\n\t]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
