/**
 * What all cells of one column say about its type. Every cell counts: nothing here is a sample, except the examples.
 *
 * Values that repeat are read once: they are counted first, and read when there are many different ones or at the end.
 */
import { MARKS, isBlank, markOf, shown } from './cell';
import { isDay, readMoment, type MomentKind, type MomentReading } from './read-moment';
import { canonicalNumber, digitsOf, readNumber, type NumberReading, type NumberShape } from './read-number';
import { meansMissing } from './read-word';

/** Longer values hardly repeat. */
const MAX_COUNTED_LENGTH = 200;
const MAX_WORDS = 3;
const MAX_EXAMPLES = 5;
const MAX_MISSING = 20;

export interface Example {
  readonly value: string;
  readonly row: number;
}

/** Numbers read with one decimal sign. */
class Digits {
  whole = 0;
  fraction = 0;
  /** Those of which a 64-bit float would lose digits. */
  inexact = 0;

  note(canonical: string): void {
    const { whole, fraction } = digitsOf(canonical);
    if (whole > this.whole) this.whole = whole;
    if (fraction > this.fraction) this.fraction = fraction;
    if (whole + fraction > 15 && !isExactDouble(canonical)) this.inexact++;
  }
}

export class ColumnEvidence {
  rows = 0;
  blank = 0;
  /** Cells that are neither blank nor a sign for a missing value. */
  filled = 0;
  readonly missing = new Map<string, number>();
  readonly errors = new Map<string, number>();
  readonly words = new Set<string>();
  /** What a workbook itself calls a number, a date, a truth value or a duration. */
  readonly typed = { number: 0, date: 0, duration: 0, boolean: 0 };
  /** `count`, `lengths` and digits of all, the rest of those that are text. */
  readonly numbers = {
    count: 0,
    shapes: { plain: 0, dot: 0, comma: 0, dot3: 0, comma3: 0, dots: 0, commas: 0 } as Record<NumberShape, number>,
    units: new Map<string, number>(),
    padded: 0,
    plus: 0,
    /** Negative in another way than by a hyphen in front: `(12)`, `12-`. */
    otherSigns: 0,
    bracketed: 0,
    spaced: 0,
    exponents: 0,
    fractionalExponents: 0,
    compactDates: 0,
    lengths: new Set<number>(),
    byDot: new Digits(),
    byComma: new Digits(),
  };
  readonly moments = {
    count: 0,
    kinds: { date: 0, timestamp: 0, time: 0, duration: 0 } as Record<MomentKind, number>,
    yearLast: 0,
    firstOver12: 0,
    secondOver12: 0,
    notDayFirst: 0,
    notMonthFirst: 0,
    firsts: new Set<number>(),
    seconds: new Set<number>(),
    separators: new Set<string>(),
    shortYears: 0,
    offsets: new Set<number | undefined>(),
    fraction: 0,
  };
  /** Texts that are nothing else. */
  readonly texts = { count: 0, examples: [] as Example[] };
  readonly numberExamples: Example[] = [];
  readonly momentExamples: Example[] = [];
  edgeSpaces = 0;
  /** Numbers of a sheet beyond what its floating point keeps exactly. */
  huge = 0;
  lineBreaks = 0;
  longest = 0;

  private counted = new Map<string, { count: number; row: number }>();

  /** @param maxCounted different values that are counted before they are read. */
  constructor(private readonly maxCounted = 4096) {}

  add(cell: string, row: number): void {
    this.rows++;
    if (cell === '') return void this.blank++;
    if (cell.length > MAX_COUNTED_LENGTH) return this.read(cell, 1, row);
    const known = this.counted.get(cell);
    if (known) return void known.count++;
    if (this.counted.size >= this.maxCounted) this.settle();
    this.counted.set(cell, { count: 1, row });
  }

  /** To be called when all cells are there. */
  settle(): this {
    for (const [cell, { count, row }] of this.counted) this.read(cell, count, row);
    this.counted = new Map();
    return this;
  }

  private read(cell: string, count: number, row: number): void {
    const mark = markOf(cell);
    if (mark === 'error') return bump(this.errors, shown(cell), count);
    if (!mark && isBlank(cell)) return void (this.blank += count);
    const text = shown(cell);
    if (!mark && meansMissing(text)) return bump(this.missing, text.trim(), count);
    this.filled += count;
    if (text.length > this.longest) this.longest = text.length;
    if (mark) {
      this.typed[mark] += count;
      if (mark === 'boolean') return this.noteWord(text);
      this.words.add(`${MARKS[mark]}`);
      if (mark === 'number') return this.noteSheetNumber(text, count);
      return this.noteMoment(readMoment(text), count, { value: text, row });
    }
    if (/^\s|\s$/.test(text)) this.edgeSpaces += count;
    if (text.includes('\n')) this.lineBreaks += count;
    this.noteWord(text.trim().toLowerCase());
    const number = readNumber(text);
    if (number) return this.noteNumber(number, text, count, { value: text, row });
    const moment = readMoment(text);
    if (moment) return this.noteMoment(moment, count, { value: text, row });
    this.texts.count += count;
    note(this.texts.examples, { value: text, row });
  }

  private noteWord(word: string): void {
    if (this.words.size < MAX_WORDS) this.words.add(word);
  }

  /** Its point is a decimal point, and proves nothing about texts. */
  private noteSheetNumber(text: string, count: number): void {
    const { numbers } = this;
    // With a percent sign or a currency, if its format has one.
    const read = /[^\d.e-]/.test(text) ? readNumber(text) : undefined;
    const canonical = read ? canonicalNumber(read, '.') : text;
    if (read?.unit) bump(numbers.units, read.unit, count);
    numbers.count += count;
    if (Math.abs(Number(canonical)) > Number.MAX_SAFE_INTEGER) this.huge += count;
    if (canonical.includes('e')) return void (numbers.exponents += count);
    if (!canonical.includes('.') && numbers.lengths.size < MAX_WORDS) numbers.lengths.add(canonical.length);
    numbers.byDot.note(canonical);
    numbers.byComma.note(canonical);
  }

  private noteNumber(number: NumberReading | undefined, text: string, count: number, example: Example): void {
    if (!number) return void note(this.texts.examples, example);
    const { numbers } = this;
    note(this.numberExamples, example);
    numbers.count += count;
    numbers.shapes[number.shape] += count;
    if (number.unit) bump(numbers.units, number.unit, count);
    if (number.padded) numbers.padded += count;
    if (number.plus) numbers.plus += count;
    if (number.negative && !/^\s*-/.test(text)) numbers.otherSigns += count;
    if (/^\s*\(/.test(text)) numbers.bracketed += count;
    if (number.exponent !== undefined) {
      numbers.exponents += count;
      if (number.shape !== 'plain' || number.exponent < 0) numbers.fractionalExponents += count;
      return;
    }
    if (/\d[ '’\u00a0\u202f\u2009]\d/.test(text)) numbers.spaced += count;
    if (number.shape === 'plain') {
      if (numbers.lengths.size < MAX_WORDS) numbers.lengths.add(number.body.length);
      if (isCompactDate(number.body)) numbers.compactDates += count;
    }
    const { shape } = number;
    if (shape !== 'comma' && shape !== 'dots') numbers.byDot.note(canonicalNumber(number, '.'));
    if (shape !== 'dot' && shape !== 'commas') numbers.byComma.note(canonicalNumber(number, ','));
  }

  private noteMoment(moment: MomentReading | undefined, count: number, example: Example): void {
    if (!moment) return void note(this.texts.examples, example);
    const { moments } = this;
    note(this.momentExamples, example);
    moments.count += count;
    moments.kinds[moment.kind] += count;
    if (moment.separator) moments.separators.add(moment.separator);
    if (moment.shortYear) moments.shortYears += count;
    if (moment.kind === 'timestamp' && moments.offsets.size < MAX_EXAMPLES) moments.offsets.add(moment.offset);
    moments.fraction = Math.max(moments.fraction, moment.time?.split('.')[1]?.length ?? 0);
    const { first, second, year = 0 } = moment;
    if (first === undefined || second === undefined) return;
    moments.yearLast += count;
    moments.firsts.add(first);
    moments.seconds.add(second);
    if (first > 12) moments.firstOver12 += count;
    if (second > 12) moments.secondOver12 += count;
    if (!isDay({ year, month: second, day: first })) moments.notDayFirst += count;
    if (!isDay({ year, month: first, day: second })) moments.notMonthFirst += count;
  }
}

function bump(map: Map<string, number>, key: string, by: number): void {
  if (map.has(key) || map.size < MAX_MISSING) map.set(key, (map.get(key) ?? 0) + by);
}

function note(examples: Example[], example: Example): void {
  if (examples.length < MAX_EXAMPLES) examples.push(example);
}

function isCompactDate(digits: string): boolean {
  if (digits.length !== 8 || !/^(?:19|20)/.test(digits)) return false;
  const [year, month, day] = [digits.slice(0, 4), digits.slice(4, 6), digits.slice(6)].map(Number);
  return isDay({ year: year as number, month: month as number, day: day as number });
}

/** Whether a 64-bit float, written again, has the same digits. */
function isExactDouble(canonical: string): boolean {
  const digits = canonical.replace(/^-?0*\.?0*|\./g, '').replace(/^0+/, '').length;
  if (digits > 17) return false;
  const number = Number(canonical);
  return Number.isFinite(number) && Number(number.toPrecision(17)) === number && same(String(number), canonical);
}

const same = (written: string, canonical: string) => trimZeros(plain(written)) === trimZeros(canonical);

const trimZeros = (number: string) => (number.includes('.') ? number.replace(/\.?0+$/, '') : number);

/** Without the exponent that JavaScript writes for the very large and the very small. */
function plain(written: string): string {
  const match = /^(-?)(\d)(?:\.(\d+))?e([-+]\d+)$/.exec(written);
  if (!match) return written;
  const [, sign, whole, fraction = '', power] = match;
  const digits = `${whole}${fraction}`;
  const point = 1 + Number(power);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return `${sign}${digits.slice(0, point).padEnd(point, '0')}${digits.length > point ? `.${digits.slice(point)}` : ''}`;
}
