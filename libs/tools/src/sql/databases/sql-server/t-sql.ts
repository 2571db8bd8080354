/** The SELECT of T-SQL. A second statement needs no semicolon here: only a whole grammar sees where one begins. */
import { words, type Dialect } from '../grammar/dialect';
import { args, expression, operand, orderItems } from '../grammar/expression';
import { Refused } from '../grammar/refused';
import type { StatementReader } from '../grammar/statement-reader';
import { FUNCTIONS, NO_ALIAS, RESERVED, TABLE_FUNCTIONS, TABLE_HINTS, TYPES } from './words';

export const T_SQL: Dialect = {
  lexicon: {
    wordSigns: '#@$',
    nameQuotes: { '[': ']', '"': '"' },
    stringPrefixes: ['N', 'n'],
    nestedComments: true,
    symbols: [
      ...['<>', '!=', '<=', '>=', '!<', '!>', '||'],
      ...['(', ')', ',', '.', ';', ':', '=', '<', '>', '+', '-', '*', '/', '%', '&', '|', '^', '~'],
    ],
  },
  reserved: RESERVED,
  // A procedure is called without EXEC where a batch begins.
  mayBeAlias: (word) => !NO_ALIAS.has(word) && !/^[SX]P_/.test(word),
  functions: FUNCTIONS,
  tableFunctions: TABLE_FUNCTIONS,
  constants: words('CURRENT_TIMESTAMP'),
  operators: new Set(['+', '-', '*', '/', '%', '&', '|', '^', '||']),
  matches: words('LIKE'),
  tests: words(''),
  valuesAsQuery: false,
  assignedAliases: true,
  type,

  specialCalls: {
    CAST: castTo,
    TRY_CAST: castTo,
    CONVERT: convert,
    TRY_CONVERT: convert,
    PARSE: parse,
    TRY_PARSE: parse,
    TRIM: trim,
    JSON_OBJECT: jsonObject,
    JSON_ARRAY: jsonArray,
  },

  beforeColumns(reader) {
    if (!reader.accept('TOP')) return;
    if (reader.sees('(')) reader.list(() => expression(reader));
    else reader.takeKind('number');
    reader.accept('PERCENT');
    reader.accept('WITH', 'TIES');
  },

  afterOperand(reader) {
    if (reader.accept('COLLATE')) reader.name();
    else if (reader.accept('AT', 'TIME', 'ZONE')) reader.nested(() => operand(reader));
    else return false;
    return true;
  },

  afterCall(reader) {
    if (reader.accept('WITHIN', 'GROUP')) {
      reader.expect('(', 'ORDER', 'BY');
      orderItems(reader);
      reader.expect(')');
    }
    if (!reader.accept('IGNORE', 'NULLS')) reader.accept('RESPECT', 'NULLS');
  },

  /** `(SELECT … FOR XML PATH(''), TYPE).value('.', 'nvarchar(max)')`, as texts were put together before STRING_AGG. */
  afterSubquery(reader) {
    if (!reader.accept('.')) return;
    reader.expect('VALUE', '(');
    reader.takeKind('string');
    reader.expect(',');
    reader.takeKind('string');
    reader.expect(')');
  },

  beforeAlias(reader) {
    if (!reader.accept('FOR', 'SYSTEM_TIME')) return;
    if (reader.accept('AS', 'OF')) operand(reader);
    else if (reader.accept('FROM')) {
      operand(reader);
      reader.expect('TO');
      operand(reader);
    } else if (reader.accept('BETWEEN')) {
      operand(reader);
      reader.expect('AND');
      operand(reader);
    } else if (reader.accept('CONTAINED', 'IN')) args(reader);
    else reader.expect('ALL');
  },

  afterAlias(reader) {
    while (reader.seesAny('PIVOT', 'UNPIVOT')) pivot(reader);
    if (reader.sees('WITH', '(')) {
      reader.take();
      tableHints(reader);
    }
  },

  afterTableCall(reader) {
    if (reader.accept('WITH')) reader.list(() => jsonColumn(reader));
  },

  join(reader) {
    if (reader.accept('CROSS', 'JOIN') || reader.accept('CROSS', 'APPLY') || reader.accept('OUTER', 'APPLY'))
      return 'nothing';
    if (reader.accept('JOIN')) return 'condition';
    if (!reader.seesAny('INNER', 'LEFT', 'RIGHT', 'FULL')) return undefined;
    if (reader.take().value !== 'INNER') reader.accept('OUTER');
    reader.acceptAny('HASH', 'LOOP', 'MERGE');
    reader.expect('JOIN');
    return 'condition';
  },

  afterGroups(reader) {
    if (!reader.accept('WITH', 'ROLLUP')) reader.accept('WITH', 'CUBE');
  },

  afterQuery(reader, place) {
    if (reader.accept('OFFSET')) offset(reader);
    if (reader.accept('FOR')) forDocument(reader);
    if (place === 'statement' && reader.accept('OPTION')) reader.list(() => queryHint(reader));
  },
};

function type(reader: StatementReader): void {
  const { text, value } = reader.takeKind('word');
  if (value === 'DOUBLE') {
    reader.expect('PRECISION');
    return;
  }
  if (!TYPES.has(value)) throw new Refused(text, 'this type is not allowed');
  if (!reader.accept('(')) return;
  if (!reader.accept('MAX')) reader.items(() => reader.takeKind('number'));
  reader.expect(')');
}

function castTo(reader: StatementReader): void {
  expression(reader);
  reader.expect('AS');
  type(reader);
}

function convert(reader: StatementReader): void {
  type(reader);
  reader.expect(',');
  reader.items(() => expression(reader));
}

function parse(reader: StatementReader): void {
  castTo(reader);
  if (reader.accept('USING')) expression(reader);
}

function trim(reader: StatementReader): void {
  reader.acceptAny('LEADING', 'TRAILING', 'BOTH');
  expression(reader);
  if (reader.accept('FROM')) expression(reader);
}

function jsonObject(reader: StatementReader): void {
  if (reader.sees(')')) return;
  reader.items(() => {
    operand(reader);
    reader.expect(':');
    operand(reader);
  });
  onNull(reader);
}

function jsonArray(reader: StatementReader): void {
  if (reader.sees(')')) return;
  reader.items(() => operand(reader));
  onNull(reader);
}

function onNull(reader: StatementReader): void {
  if (reader.acceptAny('NULL', 'ABSENT')) reader.expect('ON', 'NULL');
}

/** `PIVOT (SUM(total) FOR month IN ([1], [2])) AS p`; UNPIVOT has a name for the values instead. */
function pivot(reader: StatementReader): void {
  const kind = reader.take().value;
  reader.expect('(');
  if (kind === 'PIVOT') {
    const { text, value } = reader.takeKind('word');
    if (!FUNCTIONS.has(value)) throw new Refused(text, 'this function is not allowed');
    args(reader);
  } else reader.name();
  reader.expect('FOR');
  reader.path();
  reader.expect('IN');
  reader.list(() => reader.name());
  reader.expect(')');
  if (!reader.alias()) reader.unexpected();
}

function tableHints(reader: StatementReader): void {
  reader.expect('(');
  do {
    const { text, value } = reader.take();
    if (value === 'INDEX') {
      if (reader.accept('=') && !reader.sees('(')) reader.name();
      else reader.list(() => (reader.peek().kind === 'number' ? reader.take() : reader.name()));
    } else if (!TABLE_HINTS.has(value)) throw new Refused(text, 'this table hint is not allowed');
  } while (reader.accept(',') || !reader.sees(')'));
  reader.expect(')');
}

function jsonColumn(reader: StatementReader): void {
  reader.name();
  type(reader);
  if (reader.peek().kind === 'string') reader.take();
  reader.accept('AS', 'JSON');
}

function offset(reader: StatementReader): void {
  operand(reader);
  if (!reader.acceptAny('ROW', 'ROWS')) reader.unexpected();
  if (!reader.accept('FETCH')) return;
  if (!reader.acceptAny('NEXT', 'FIRST')) reader.unexpected();
  operand(reader);
  if (!reader.acceptAny('ROW', 'ROWS')) reader.unexpected();
  reader.expect('ONLY');
}

/** FOR JSON and FOR XML; FOR BROWSE and NEXT VALUE FOR are none of them. */
function forDocument(reader: StatementReader): void {
  const options = reader.accept('JSON')
    ? ['ROOT', 'INCLUDE_NULL_VALUES', 'WITHOUT_ARRAY_WRAPPER']
    : (reader.expect('XML'), ['ROOT', 'TYPE', 'ELEMENTS', 'BINARY']);
  if (!reader.acceptAny('PATH', 'AUTO', 'RAW')) reader.unexpected();
  if (reader.sees('(')) reader.list(() => reader.takeKind('string'));
  while (reader.accept(',')) {
    const option = reader.acceptAny(...options) ?? reader.unexpected();
    if (option === 'ROOT' && reader.sees('(')) reader.list(() => reader.takeKind('string'));
    if (option === 'ELEMENTS') reader.acceptAny('XSINIL', 'ABSENT');
    if (option === 'BINARY') reader.expect('BASE64');
  }
}

function queryHint(reader: StatementReader): void {
  if (reader.acceptAny('MAXRECURSION', 'MAXDOP', 'FAST')) {
    reader.takeKind('number');
    return;
  }
  if (reader.accept('RECOMPILE') || reader.accept('FORCE', 'ORDER') || reader.accept('OPTIMIZE', 'FOR', 'UNKNOWN'))
    return;
  const { text, value } = reader.take();
  if (!['HASH', 'LOOP', 'MERGE', 'CONCAT', 'ORDER'].includes(value))
    throw new Refused(text, 'this query hint is not allowed');
  if (!reader.acceptAny('JOIN', 'UNION', 'GROUP')) reader.unexpected();
}
