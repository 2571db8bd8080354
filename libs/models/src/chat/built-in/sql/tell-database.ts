/**
 * Tells what databases answered: one number in a sentence, rows as a small table. The SQL is for those who ask for it;
 * the tool's result has it in any case.
 */
import type { Language } from '../language';
import { rowsInWords, tellNothing, wordsIn, type Computed } from './tell-rows';

const ASKS_FOR_SQL = /\b(?:sql|query|queries|select|consulta|sentencia)\b/i;
/** Above each part where several databases were asked. */
const TITLE = /^Database \d+ of \d+(?: \([^\n]*\))?:\n/m;
const FAILED = /^No results found\.\nError: (?:\w+: )?([^\n]*)/;

/** Undefined where the text is not what the tool returns. */
export function tellDatabases(text: string, question: string, language: Language): string | undefined {
  const parts = text
    .trim()
    .split(TITLE)
    .filter((part) => part.trim() !== '');
  const withSql = ASKS_FOR_SQL.test(question);
  const told = parts.map((part) => tellOne(part.trim(), withSql, language));
  if (!told.every((one) => one !== undefined)) return undefined;
  if (told.length === 1) return told[0];
  return told.map((one, i) => `${wordsIn(language).database(i + 1)}: ${one}`).join('\n\n');
}

/** What a failure says, without its lead and without the statement unless it is asked for. */
export function failureOf(text: string, question: string): string {
  const said = text.replace(/^No results found\.\n/, '').replace(/^Error: /gm, '');
  return ASKS_FOR_SQL.test(question) ? said : said.replace(/\n```sql\n[^]*?\n```/g, '');
}

function tellOne(text: string, withSql: boolean, language: Language): string | undefined {
  const say = wordsIn(language);
  const nothing = tellNothing(text, language);
  if (nothing !== undefined) return nothing;
  const failed = FAILED.exec(text);
  if (failed) return failed[1];
  const found = readResult(text);
  if (!found) return undefined;
  const told = found.isEmpty ? say.nothing : rowsInWords(found.rows, say);
  const sql = withSql ? [`${say.computedWith}\n\n\`\`\`sql\n${found.sql}\n\`\`\``] : [];
  return [told, ...found.warnings, ...sql].join('\n\n');
}

function readResult(text: string): Computed | undefined {
  const match = /^```sql\n([^]*?)\n```\n([^\n]*)\n?(?:Time zone: [^\n]*\n?)?((?:\s*Warning: [^\n]*\n?)*)([^]*)$/.exec(
    text,
  );
  if (!match) return undefined;
  const [, sql, count, warned, csv] = match as unknown as [string, string, string, string, string];
  const warnings = warned.split('\n').filter((line) => line.startsWith('Warning: '));
  const [names = [], ...lines] = readCsv(csv.trim());
  // The last line of a sample is cut off.
  const whole = warnings.some((warning) => warning.includes('sample of')) ? lines.slice(0, -1) : lines;
  const rows = whole.map((line) => Object.fromEntries(names.map((name, i) => [name ?? '', line[i]])));
  return { sql, rows, warnings, isEmpty: /No rows found/.test(count) };
}

const CELL = /(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n|$)/gy;

/** An empty cell is NULL, an empty text has its quotes. */
function readCsv(csv: string): (string | null)[][] {
  if (csv === '') return [];
  const lines: (string | null)[][] = [[]];
  CELL.lastIndex = 0;
  for (let cell = CELL.exec(csv); cell; cell = CELL.exec(csv)) {
    const [, quoted, plain = '', end] = cell;
    lines.at(-1)!.push(quoted?.replaceAll('""', '"') ?? (plain === '' ? null : plain));
    if (end === '') break;
    if (end === '\n') lines.push([]);
  }
  return lines;
}
