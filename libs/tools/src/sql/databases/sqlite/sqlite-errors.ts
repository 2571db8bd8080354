/** What SQLite says of a statement, in words of ours and with the identifier at fault: its own may quote data (SEC-56). */
const IDENTIFIER = '([^\\s"\'`]{1,128})';

const KNOWN: readonly (readonly [pattern: RegExp, phrase: (name: string) => string])[] = [
  [new RegExp(`^no such column: ${IDENTIFIER}`), (name) => `there is no column ${name}`],
  [new RegExp(`^no such table: ${IDENTIFIER}`), (name) => `there is no table ${name}`],
  [new RegExp(`^no such function: ${IDENTIFIER}`), (name) => `there is no function ${name}`],
  [new RegExp(`^ambiguous column name: ${IDENTIFIER}`), (name) => `the column ${name} is in more than one table`],
  [
    new RegExp(`^wrong number of arguments to function ${IDENTIFIER}`),
    (name) => `the function ${name} has other arguments`,
  ],
  [
    new RegExp(`^misuse of (?:aggregate|window function)[^:]*: ?${IDENTIFIER}`),
    (name) => `${name} may not stand there`,
  ],
  [/^near "([A-Za-z_]{1,64}|[^\w\s"']{1,3})": syntax error/, (name) => `there is a mistake of syntax near ${name}`],
  [/^incomplete input/, () => 'the statement is not complete'],
  [/integer overflow/, () => 'a whole number is too large'],
  [/malformed JSON/, () => 'a text is not JSON'],
  [/^(?:database disk image is malformed|file is not a database)/, () => 'the file is damaged'],
  [/SELECTs to the left and right/, () => 'the SELECTs that are joined have different numbers of columns'],
  [/attempt to write a readonly database/, () => 'the statement would write'],
  [/^(?:string or blob too big|out of memory|too many)/, () => 'the statement or a value in it is too large'],
];

export function messageOf(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error);
  for (const [pattern, phrase] of KNOWN) {
    const found = pattern.exec(said);
    if (found) return `SQLITE_ERROR: ${phrase(found[1] ?? '')}.`;
  }
  return 'SQLITE_ERROR: the statement cannot be run.';
}
