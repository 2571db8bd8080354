/** Tells what a tool returned: a sentence around the text, JSON as pairs or as a small table. */
import type { Language } from './language';
import { phrasesIn } from './phrases';

const MAX_TOLD = 4000;
const MAX_JSON = 200_000;
const MAX_ROWS = 10;
const MAX_COLUMNS = 8;
const MAX_FIELDS = 40;

export interface ToolResult {
  readonly tool: string;
  readonly text: string;
  readonly isError: boolean;
}

export function tellResult({ tool, text, isError }: ToolResult, language: Language): string {
  const say = phrasesIn(language);
  const trimmed = text.trim();
  if (isError) return trimmed === '' ? say.toolFailedSilently(tool) : say.toolFailed(tool, shortened(trimmed));
  if (trimmed === '') return say.toolReturnedNothing(tool);
  const json = readJson(trimmed);
  if (json === undefined) return said(tool, shortened(trimmed), language);
  if (json === null || (Array.isArray(json) && json.length === 0)) return say.toolReturnedNothing(tool);
  if (isTable(json)) return table(tool, json, language);
  if (typeof json === 'object' && !Array.isArray(json)) {
    const fields = fieldsOf(json as Fields, language);
    return fields === '' ? say.toolReturnedNothing(tool) : say.toolReturnedFields(tool, `${fields}.`);
  }
  return said(tool, shortened(valueInWords(json, language)), language);
}

type Fields = Readonly<Record<string, unknown>>;

/** A text of several lines begins on its own line. */
const said = (tool: string, text: string, language: Language): string =>
  phrasesIn(language).toolReturned(tool, text.includes('\n') ? `\n\n${text}` : text);

const shortened = (text: string): string => (text.length <= MAX_TOLD ? text : `${text.slice(0, MAX_TOLD)}…`);

/** The value of a JSON text; undefined for other text, and for numbers that reading would round. */
function readJson(text: string): unknown {
  if (text.length > MAX_JSON || !/^[[{"\d-]|^(?:true|false|null)$/.test(text)) return undefined;
  if (/\d[\d.]{15,}/.test(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const isTable = (json: unknown): json is Fields[] =>
  Array.isArray(json) && json.every((row) => typeof row === 'object' && row !== null && !Array.isArray(row));

function table(tool: string, rows: readonly Fields[], language: Language): string {
  const columns = [...new Set(rows.slice(0, MAX_ROWS).flatMap((row) => Object.keys(row)))].slice(0, MAX_COLUMNS);
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const told = rows.slice(0, MAX_ROWS).map((row) => line(columns.map((column) => cellOf(row[column], language))));
  const more = rows.length > MAX_ROWS ? [`\n${phrasesIn(language).moreRows(rows.length - MAX_ROWS)}`] : [];
  const intro = phrasesIn(language).toolReturnedRows(tool, rows.length);
  return [`${intro}\n`, line(columns), line(columns.map(() => '---')), ...told, ...more].join('\n');
}

const cellOf = (value: unknown, language: Language): string =>
  valueInWords(value, language).replace(/\s+/g, ' ').replaceAll('|', '\\|').slice(0, 200);

/** "city: Paris; temperature: 21"; inner objects as `outer inner: value`. */
function fieldsOf(fields: Fields, language: Language): string {
  const pairs: string[] = [];
  const collect = (inner: Fields, above: string, depth: number) => {
    for (const [name, value] of Object.entries(inner)) {
      if (pairs.length >= MAX_FIELDS || value === null || value === undefined) continue;
      const key = above + name.replaceAll('_', ' ');
      if (typeof value === 'object' && !Array.isArray(value) && depth < 3)
        collect(value as Fields, `${key} `, depth + 1);
      else pairs.push(`${key}: ${valueInWords(value, language)}`);
    }
  };
  collect(fields, '', 0);
  return shortened(pairs.join('; '));
}

function valueInWords(value: unknown, language: Language): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'boolean') return value ? phrasesIn(language).yes : phrasesIn(language).no;
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) {
    return value
      .slice(0, 50)
      .map((item) => valueInWords(item, language))
      .join(', ');
  }
  return JSON.stringify(value).slice(0, 500);
}
