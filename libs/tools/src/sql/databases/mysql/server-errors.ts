/** What a server's errors are to models and callers: number, a phrase of ours, the name at fault (SEC-56). */
import type { DatabaseOutcome } from '../database-engine';
import type { ServerError } from './mysql-client';

interface Phrase {
  readonly text: string;
  /** Takes the name at fault out of the server's message. It is said only where the statement itself has it. */
  readonly name?: RegExp;
}

/** The last of the names in quotes before something else: `'shop.orders'` is in the statement as `orders`. */
const FIRST_QUOTED = /'([^']{1,200})'/;

const PHRASES: Readonly<Record<number, Phrase>> = {
  1028: { text: 'Sorting was stopped.' },
  1037: { text: 'The server has too little memory for this.' },
  1038: { text: 'The server has too little memory to sort this.' },
  1041: { text: 'The server has too little memory for this.' },
  1044: { text: 'The account may not use this database.' },
  1046: { text: 'No database is chosen: write tables with their schema.' },
  1049: { text: 'There is no such database.', name: FIRST_QUOTED },
  1051: { text: 'There is no such table.', name: FIRST_QUOTED },
  1052: { text: 'The column is ambiguous: write its table before it.', name: FIRST_QUOTED },
  1054: { text: 'There is no such column.', name: FIRST_QUOTED },
  1055: {
    text: 'The column is neither in GROUP BY nor in an aggregate.',
    name: /contains nonaggregated column '([^']{1,200})'|^'([^']{1,200})' isn't in GROUP BY/,
  },
  1056: { text: 'It cannot be grouped by this.', name: FIRST_QUOTED },
  1060: { text: 'The column has a name twice in a derived table.', name: FIRST_QUOTED },
  1064: { text: 'The syntax is wrong near this.', name: /near '([^]{1,200}?)(?:'? at line \d+)?'?$/ },
  1066: { text: 'The table or its alias is there twice.', name: FIRST_QUOTED },
  1104: { text: 'It would look at more rows than the server lets it.' },
  1109: { text: 'There is no such table in this place.', name: FIRST_QUOTED },
  1111: { text: 'An aggregate stands where it may not: use HAVING, or a subquery.' },
  1114: { text: 'The server has no room for the temporary table.' },
  1137: { text: 'A temporary table cannot be read twice.' },
  1140: { text: 'Aggregates and plain columns are mixed without GROUP BY.' },
  1142: { text: 'The account may not read this table.', name: /for table [`']([^`']{1,200})[`']/ },
  1143: { text: 'The account may not read this column.', name: /for column '([^']{1,200})'/ },
  1146: { text: 'There is no such table.', name: FIRST_QUOTED },
  1176: { text: 'There is no such index.', name: FIRST_QUOTED },
  1191: { text: 'There is no full-text index over these columns.' },
  1205: { text: 'A lock was not given in time.' },
  1213: { text: 'The statement was stopped for a deadlock.' },
  1221: { text: 'UNION, ORDER BY and LIMIT need parentheses here.' },
  1222: { text: 'The queries of a UNION have different numbers of columns.' },
  1226: { text: 'The account has used up what it may use.' },
  1235: { text: 'This server does not support that.' },
  1241: { text: 'An operand has the wrong number of columns.' },
  1242: { text: 'A subquery gives more than one row.' },
  1247: { text: 'The reference is not supported here.', name: FIRST_QUOTED },
  1248: { text: 'Every derived table needs an alias.' },
  1253: { text: 'The collation does not fit the character set.' },
  1264: { text: 'A value is out of range.' },
  1267: { text: 'Collations are mixed: add COLLATE.' },
  1270: { text: 'Collations are mixed: add COLLATE.' },
  1271: { text: 'Collations are mixed: add COLLATE.' },
  1292: { text: 'A value does not fit the type it is read as.' },
  1304: { text: 'There is no such function.' },
  1305: { text: 'There is no such function.', name: /(?:FUNCTION|PROCEDURE) ([^\s]{1,200}) / },
  1318: { text: 'The number of arguments is wrong.' },
  1327: { text: 'There is no such variable.' },
  1356: { text: 'The view reads what is not there, or what its account may not read.' },
  1365: { text: 'A division by zero.' },
  1370: { text: 'The account may not call this function.' },
  1411: { text: 'A value does not fit the function.' },
  1436: { text: 'It nests deeper than the server can follow.' },
  1525: { text: 'A value is wrong for its type.' },
  1582: { text: 'The number of arguments is wrong.', name: /function '([^']{1,200})'/ },
  1583: { text: 'The arguments are wrong.', name: /function '([^']{1,200})'/ },
  1630: { text: 'There is no such function.', name: /FUNCTION ([^\s]{1,200}) / },
  1690: { text: 'A number is out of range.' },
  1792: { text: 'The session may only read.' },
  3013: { text: 'The query is too large for the server.' },
  3141: { text: 'A text is no JSON.' },
  3143: { text: 'A path into JSON is not valid.' },
  3146: { text: 'A value is no JSON.' },
  3579: { text: 'There is no such window.', name: FIRST_QUOTED },
  3593: { text: 'A window function stands where it may not: use a subquery.' },
  3636: { text: 'The recursive query goes further than the server lets it.' },
  4015: { text: 'A window function stands where it may not: use a subquery.' },
  4038: { text: 'A text is no JSON.' },
  4042: { text: 'A path into JSON is not valid.' },
};

/** The time of the statement ran out, or somebody ended it. */
const STOPPED: ReadonlySet<number> = new Set([1317, 1969, 3024]);

export function outcomeOf({ number, state, message }: ServerError, sql: string): DatabaseOutcome {
  if (STOPPED.has(number)) return { kind: 'stopped', limit: 'time' };
  const phrase = PHRASES[number] ?? { text: 'The server could not run it.' };
  const found = phrase.name
    ?.exec(message)
    ?.slice(1)
    .find((group) => group !== undefined);
  const name = found === undefined ? undefined : asWritten(found, sql);
  return { kind: 'failed', message: `${number} (${state}): ${phrase.text}${name === undefined ? '' : ` (${name})`}` };
}

/** What of a name the statement itself says; nothing else of a server's message is repeated. */
function asWritten(found: string, sql: string): string | undefined {
  const text = sql.toLowerCase();
  const bare = found.replace(/[`']/g, '').trim();
  for (let rest = bare; rest !== ''; rest = rest.includes('.') ? rest.slice(rest.indexOf('.') + 1) : '') {
    if (text.includes(rest.toLowerCase())) return rest.slice(0, 80);
  }
  const first = /^[^\s(),.;]{1,80}/.exec(found)?.[0];
  return first !== undefined && text.includes(first.toLowerCase()) ? first : undefined;
}
