/** The SELECT of SQLite. */
import { words, type Dialect } from '../grammar/dialect';
import { expression, operand } from '../grammar/expression';
import type { StatementReader } from '../grammar/statement-reader';
import { FUNCTIONS, NO_ALIAS, RESERVED, TABLE_FUNCTIONS } from './words';

export const SQLITE: Dialect = {
  lexicon: {
    wordSigns: '$',
    nameQuotes: { '[': ']', '"': '"', '`': '`' },
    stringPrefixes: ['X', 'x'],
    nestedComments: false,
    symbols: [
      ...['->>', '->', '||', '<<', '>>', '<>', '!=', '<=', '>=', '=='],
      ...['(', ')', ',', '.', ';', '=', '<', '>', '+', '-', '*', '/', '%', '&', '|', '~'],
    ],
  },
  reserved: RESERVED,
  mayBeAlias: (word) => !NO_ALIAS.has(word),
  functions: FUNCTIONS,
  tableFunctions: TABLE_FUNCTIONS,
  constants: words('CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP TRUE FALSE'),
  operators: new Set(['+', '-', '*', '/', '%', '&', '|', '<<', '>>', '||', '->', '->>']),
  matches: words('LIKE GLOB MATCH REGEXP'),
  tests: words('ISNULL NOTNULL'),
  valuesAsQuery: true,
  assignedAliases: false,
  type,

  specialCalls: {
    CAST(reader) {
      expression(reader);
      reader.expect('AS');
      type(reader);
    },
  },

  afterOperand(reader) {
    if (!reader.accept('COLLATE')) return false;
    reader.name();
    return true;
  },

  afterAlias(reader) {
    if (reader.accept('INDEXED', 'BY')) reader.name();
    else reader.accept('NOT', 'INDEXED');
  },

  join(reader) {
    const natural = reader.accept('NATURAL');
    const kind = reader.acceptAny('LEFT', 'RIGHT', 'FULL', 'INNER', 'CROSS');
    if (kind !== undefined && kind !== 'INNER' && kind !== 'CROSS') reader.accept('OUTER');
    if (reader.accept('JOIN')) return natural ? 'nothing' : 'maybe';
    if (natural || kind !== undefined) reader.unexpected();
    return undefined;
  },

  afterQuery(reader) {
    if (!reader.accept('LIMIT')) return;
    operand(reader);
    if (reader.accept('OFFSET') || reader.accept(',')) operand(reader);
  },
};

/** Any words: SQLite reads of them what kind of value they mean. */
function type(reader: StatementReader): void {
  reader.name();
  while (reader.seesName()) reader.name();
  if (reader.sees('(')) reader.list(() => reader.takeKind('number'));
}
