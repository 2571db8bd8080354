/**
 * What SQL Server says of a statement: its number, words of ours, and the identifier at fault. Its own words may quote
 * data (SEC-56).
 */
const NAME = /['"]([\p{L}_@#[][\p{L}\p{M}\p{N}_@#$.[\] ]{0,127})['"]/u;
const NEAR = /['"]([\p{L}_]{1,64}|[^\p{L}\p{N}\s'"]{1,3})['"]/u;

/** Phrases by number; `%` stands for the name. */
const PHRASES: Readonly<Record<number, string>> = {
  102: 'there is a mistake of syntax near %',
  105: 'a quotation has no end',
  116: 'a subquery gives more than one column',
  130: 'an aggregate may not stand within another',
  144: 'an aggregate or subquery may not stand in GROUP BY',
  145: 'with DISTINCT, ORDER BY names columns that are selected',
  147: 'an aggregate may not stand in WHERE',
  156: 'there is a mistake of syntax near the keyword %',
  174: 'the function % has other arguments',
  189: 'the function % has other arguments',
  195: 'there is no function %',
  205: 'the SELECTs that are combined have different numbers of columns',
  207: 'there is no column %',
  208: 'there is no table %',
  209: 'the column % is in more than one table',
  220: 'a number is too large for its type',
  229: 'the login may not read %',
  230: 'the login may not read the column %',
  241: 'a text is no date',
  242: 'a text is no date',
  245: 'a text is no number',
  248: 'a number is too large for its type',
  252: 'a recursive expression has no part to begin with',
  319: 'there is a mistake of syntax near WITH',
  402: 'the types of an operation do not fit together',
  512: 'a subquery gives more than one row',
  517: 'a date is out of range',
  530: 'a recursion goes too deep; OPTION (MAXRECURSION n) allows more',
  1033: 'ORDER BY in a subquery needs TOP or OFFSET',
  1205: 'it was in a deadlock and was ended',
  1222: 'another session holds a lock for longer than is waited',
  3960: 'the rows were changed by another session meanwhile',
  4104: 'there is no %',
  4121: 'there is no function %',
  8114: 'a value does not fit its type',
  8115: 'a number is too large for its type',
  8116: 'a function has an argument of the wrong type',
  8117: 'an operation has an operand of the wrong type',
  8118: 'the column % is neither in GROUP BY nor in an aggregate',
  8120: 'the column % is neither in GROUP BY nor in an aggregate',
  8134: 'something is divided by zero',
  8152: 'a text is too long for its type',
  8155: 'a column of a subquery has no name',
  8156: 'two columns of a subquery have the name %',
  8623: 'the statement is too complex',
  8645: 'the server has no memory for it now',
  9420: 'a text is not XML',
  9803: 'a value does not fit its type',
  13609: 'a text is not JSON',
};

export function messageOf(number: number, said: string): string {
  const phrase = PHRASES[number] ?? 'the statement cannot be run';
  const name = (number === 102 || number === 156 ? NEAR : NAME).exec(said)?.[1];
  return `${number}: ${phrase.includes('%') ? phrase.replace('%', name ?? 'something in it') : phrase}.`;
}
