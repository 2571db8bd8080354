/** Tells what a tool computed from tables: one number in a sentence, rows as a small table, the SQL below. */
import type { Language } from '../language';

export interface Computed {
  readonly sql: string;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** The lines between the statement and the rows. */
  readonly warnings: readonly string[];
  readonly isEmpty: boolean;
}

const MAX_ROWS = 20;
const MAX_COLUMNS = 8;

/** Undefined where the text is not what such a tool returns. */
export function tellComputed(text: string, language: Language): string | undefined {
  const say = wordsIn(language);
  const nothing = tellNothing(text, language);
  if (nothing !== undefined) return nothing;
  const computed = readComputed(text);
  if (!computed) return undefined;
  const { sql, rows, warnings, isEmpty } = computed;
  const told = isEmpty ? say.nothing : rowsInWords(rows, say);
  return [told, ...warnings, `${say.computedWith}\n\n\`\`\`sql\n${sql}\n\`\`\``].join('\n\n');
}

/** Why there is nothing to tell, where the text says so. */
export function tellNothing(text: string, language: Language): string | undefined {
  if (text.trim() === NO_TABLES) return wordsIn(language).noTables;
  if (text.startsWith(NO_TABLES)) return wordsIn(language).noTablesToRead;
  const why = text.startsWith(NO_ANSWER) ? text.slice(NO_ANSWER.length).trim() : '';
  return why === '' ? undefined : why;
}

const NO_TABLES = 'No tables are available.';
const NO_ANSWER = 'The tables cannot answer this.';

/** Whether there was nothing to compute over. */
export const saysNoTables = (text: string): boolean => text.trim() === NO_TABLES;

/** Whether the tables had nothing to say, so that the texts may be asked. */
export const isNoAnswer = (text: string): boolean => text.startsWith(NO_TABLES) || text.startsWith(NO_ANSWER);

function readComputed(text: string): Computed | undefined {
  const match = /^```sql\n([^]*?)\n```\n([^\n]*)\n?([^]*)$/.exec(text.trim());
  if (!match) return undefined;
  const [, sql, count, rest] = match as unknown as [string, string, string, string];
  const lines = rest.split('\n');
  const rows: Record<string, unknown>[] = [];
  const warnings: string[] = [];
  for (const line of lines) {
    if (line.startsWith('Warning: ')) warnings.push(line);
    else if (line.startsWith('{')) {
      try {
        rows.push(JSON.parse(line) as Record<string, unknown>);
      } catch {
        break;
      }
    }
  }
  return { sql, rows, warnings, isEmpty: /No rows found/.test(count) };
}

export interface Words {
  readonly noTables: string;
  readonly noTablesToRead: string;
  readonly nothing: string;
  readonly computedWith: string;
  readonly nobody: string;
  readonly database: (at: number) => string;
  readonly rows: (count: number) => string;
  readonly more: (count: number) => string;
}

const ENGLISH: Words = {
  noTables: 'There are no tables among these documents.',
  noTablesToRead: 'The database has no tables that may be read with this user and schema.',
  nothing: 'Nothing in the tables fits that: the result has no rows.',
  computedWith: 'Computed with:',
  nobody: 'no value',
  database: (at) => `Database ${at}`,
  rows: (count) => `${count} rows:`,
  more: (count) => `and ${count} more`,
};

const SPANISH: Words = {
  noTables: 'No hay tablas entre estos documentos.',
  noTablesToRead: 'La base de datos no tiene tablas que este usuario pueda leer en ese esquema.',
  nothing: 'Nada en las tablas cumple eso: el resultado no tiene filas.',
  computedWith: 'Calculado con:',
  nobody: 'sin valor',
  database: (at) => `Base de datos ${at}`,
  rows: (count) => `${count} filas:`,
  more: (count) => `y ${count} más`,
};

export const wordsIn = (language: Language): Words => (language === 'es' ? SPANISH : ENGLISH);

export function rowsInWords(rows: readonly Readonly<Record<string, unknown>>[], say: Words): string {
  const columns = Object.keys(rows[0] ?? {}).slice(0, MAX_COLUMNS);
  if (rows.length === 1) return columns.map((name) => `${name}: ${cell(rows[0]![name], say)}`).join('; ');
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const shown = rows.slice(0, MAX_ROWS).map((row) => line(columns.map((name) => cell(row[name], say))));
  const more = rows.length > MAX_ROWS ? [`\n${say.more(rows.length - MAX_ROWS)}`] : [];
  return [`${say.rows(rows.length)}\n`, line(columns), line(columns.map(() => '---')), ...shown, ...more].join('\n');
}

function cell(value: unknown, { nobody }: Words): string {
  if (value === null || value === undefined) return nobody;
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.replace(/\s+/g, ' ').replaceAll('|', '\\|').slice(0, 200);
}
