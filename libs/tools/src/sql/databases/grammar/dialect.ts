/** What sets the SELECT of one engine apart from that of another. */
import type { Lexicon } from './lexer';
import type { StatementReader } from './statement-reader';

export interface Dialect {
  readonly lexicon: Lexicon;
  /** Words that are no name unless in quotes. */
  readonly reserved: ReadonlySet<string>;
  /** Whether a word may be an alias without AS, or might as well begin a clause or another statement. */
  readonly mayBeAlias: (word: string) => boolean;
  /** Functions by the name they are called by, in upper case. */
  readonly functions: ReadonlySet<string>;
  /** Functions that make rows out of their arguments. */
  readonly tableFunctions: ReadonlySet<string>;
  /** Values that are written like a name: CURRENT_TIMESTAMP. */
  readonly constants: ReadonlySet<string>;
  /** Between two operands of a calculation. */
  readonly operators: ReadonlySet<string>;
  /** Words between two operands of a comparison: LIKE. */
  readonly matches: ReadonlySet<string>;
  /** Words after an operand that test it alone: NOTNULL. */
  readonly tests: ReadonlySet<string>;
  /** Functions whose arguments are more than a list of expressions, by name. The parentheses are read already. */
  readonly specialCalls: Readonly<Record<string, (reader: StatementReader) => void>>;
  /** Between SELECT and its columns: TOP. */
  readonly beforeColumns?: (reader: StatementReader) => void;
  /** After an operand: COLLATE, AT TIME ZONE. True if there was something. */
  readonly afterOperand: (reader: StatementReader) => boolean;
  /** After the name of a function with its arguments: WITHIN GROUP. */
  readonly afterCall?: (reader: StatementReader) => void;
  /** After a subquery that is a value. */
  readonly afterSubquery?: (reader: StatementReader) => void;
  /** After a table, and after its alias. */
  readonly beforeAlias?: (reader: StatementReader) => void;
  readonly afterAlias?: (reader: StatementReader) => void;
  /** After a table function's arguments. */
  readonly afterTableCall?: (reader: StatementReader) => void;
  /** Words of a join that begins here, read; and what has to follow the table. Undefined: there is none. */
  readonly join: (reader: StatementReader) => 'condition' | 'nothing' | 'maybe' | undefined;
  /** In GROUP BY, before it ends: WITH ROLLUP. */
  readonly afterGroups?: (reader: StatementReader) => void;
  /** After ORDER BY: LIMIT, OFFSET, FOR JSON, OPTION. */
  readonly afterQuery: (reader: StatementReader, place: 'statement' | 'subquery') => void;
  /** Whether VALUES and a WITH may stand wherever a SELECT may. */
  readonly valuesAsQuery: boolean;
  /** Whether `name = expression` names a column. */
  readonly assignedAliases: boolean;
  /** The name of a type, with its size. */
  readonly type: (reader: StatementReader) => void;
}

/** A set of words out of a list with spaces between them. */
export const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/).filter(Boolean));
