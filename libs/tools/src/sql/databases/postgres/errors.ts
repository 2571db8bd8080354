/**
 * What the server's errors are called to models and callers: the SQLSTATE, a phrase of ours, and the name at fault as
 * the statement has it (SEC-56). The server's own words may quote data, as in a cast of a secret to a number.
 */
import { DatabaseError } from 'pg';
import type { DatabaseOutcome } from '../database-engine';

const PHRASES: Readonly<Record<string, string>> = {
  '0A000': 'the server does not support this',
  '21000': 'a subquery gives more than one row where one is needed',
  '22001': 'a text is too long for its type',
  '22003': 'a number is out of range',
  '22004': 'a value may not be NULL here',
  '22007': 'a text cannot be read as a date or time',
  '22008': 'a date or time is out of range',
  '22009': 'a time zone is not valid',
  '22011': 'a substring cannot have such a length',
  '22012': 'division by zero',
  '22013': 'a window frame is not valid',
  '22021': 'a text is not valid in its encoding',
  '22023': 'an argument is not valid for the function',
  '22025': 'an escape in a pattern is not valid',
  '2201B': 'a regular expression is not valid',
  '2201E': 'a logarithm of such a number does not exist',
  '2201F': 'a power of such a number does not exist',
  '2201W': 'LIMIT must not be negative',
  '2201X': 'OFFSET must not be negative',
  '2202E': 'arrays or subscripts do not fit together',
  '22P02': 'a text cannot be read as a value of the type it is used as',
  '22032': 'a text is not valid JSON',
  '22033': 'a subscript of a JSON value is not valid',
  '22035': 'a JSON path finds no item',
  '22038': 'a JSON path must find one item',
  '25006': 'the session only reads, and the statement would write',
  '42501': 'the database user has no permission for an object that the statement uses',
  '42601': 'syntax error',
  '42602': 'a name is not valid',
  '42622': 'a name is too long',
  '42701': 'a column is named twice',
  '42702': 'a column is ambiguous: name its table',
  '42703': 'there is no such column',
  '42704': 'there is no such object',
  '42710': 'an object is named twice',
  '42712': 'a table name or alias is used twice',
  '42723': 'a function is named twice',
  '42725': 'a function or operator is ambiguous: cast its arguments',
  '42803': 'a column must be in GROUP BY or in an aggregate, or an aggregate stands where none may',
  '42804': 'types do not match',
  '42809': 'the object is of the wrong kind',
  '42830': 'a foreign key is not valid',
  '42846': 'there is no cast between these types',
  '42883': 'there is no such function or operator for these types of arguments',
  '42939': 'a name is reserved',
  '42P01': 'there is no such table or view',
  '42P02': 'there is no such parameter',
  '42P08': 'a parameter is ambiguous',
  '42P09': 'an alias is ambiguous',
  '42P10': 'a column reference is not valid here',
  '42P18': 'a type cannot be told: add a cast',
  '42P19': 'a recursive query is not valid',
  '42P20': 'a window function stands where none may, or its window is not valid',
  '42P21': 'collations do not match',
  '42P22': 'a collation cannot be told: add COLLATE',
  '54001': 'the statement is too complex',
  '54011': 'there are too many columns',
  '54023': 'there are too many arguments',
  '55P03': 'another session holds a lock on a table that the statement reads; it was not waited for longer',
  '55000': 'an object is not in a state to be read',
  '57014': 'the server cancelled the statement',
};

/** By the first two characters, where the code itself says too little to have a phrase. */
const CLASSES: Readonly<Record<string, string>> = {
  '22': 'a value is not valid for what is done with it',
  '23': 'a constraint does not hold',
  '25': 'the session is in no state for the statement',
  '38': 'a function failed',
  '39': 'a function failed',
  '40': 'the server rolled the transaction back; it may work when it is tried again',
  '42': 'the statement is not valid',
  '53': 'the server lacks the memory, disk or connections for it',
  '54': 'the statement goes beyond a limit of the server',
  '55': 'an object is not in a state to be read',
  '58': 'the server has trouble with its files',
  P0: 'a function raised an error',
};

/** Codes with which the server goes away rather than answers. */
export const isShutdown = (error: unknown): boolean => error instanceof DatabaseError && /^57P0/.test(error.code ?? '');

/** How a statement ended that the server refused or gave up. */
export function outcomeOf(error: DatabaseError, sql: string): DatabaseOutcome {
  const code = /^[0-9A-Z]{5}$/.test(error.code ?? '') ? error.code! : 'XX000';
  // Only the server's words tell its own limit from a cancellation by an administrator.
  if (code === '57014' && /statement timeout/i.test(error.message)) return { kind: 'stopped', limit: 'time' };
  if (code === '53200' || code === '53400') return { kind: 'stopped', limit: 'memory' };
  const phrase = PHRASES[code] ?? CLASSES[code.slice(0, 2)] ?? 'the server failed over the statement';
  const name = code.startsWith('42') ? nameAt(sql, Number(error.position)) : undefined;
  return { kind: 'failed', message: `${code}: ${phrase}${name === undefined ? '' : `: ${name}`}.` };
}

const NAME =
  /^(?:"(?:[^"]|""){1,63}"|[\p{L}\p{N}_$]+)(?:\.(?:"(?:[^"]|""){1,63}"|[\p{L}\p{N}_$*]+)){0,3}|^[-+*/<>=~!@#%^&|`?]{1,8}|^[^\s'"]/u;
const MAX_NAME = 200;

/** What stands in the statement where the server points, in characters from 1. A text in quotes is data: not told. */
function nameAt(sql: string, position: number): string | undefined {
  if (!Number.isInteger(position) || position < 1) return undefined;
  const rest = [...sql].slice(position - 1).join('');
  return NAME.exec(rest)?.[0].slice(0, MAX_NAME);
}
