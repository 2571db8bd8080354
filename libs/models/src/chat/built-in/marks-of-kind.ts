/**
 * What tells one thing from others of its kind by a mark: "plan C", "version 2.2", "2023", "room A2", "the US".
 *
 * A mark means nothing by itself, so that no other word can stand for it, and the sentence that has it must have it on
 * the same kind of thing: version 3 is not "3 users".
 */
import type { Language } from './language';
import { fold, stem, STOP_WORDS } from './words';

export interface Mark {
  readonly value: string;
  readonly kind: 'letter' | 'code' | 'number' | 'acronym' | 'name' | 'month';
  /** The word it stands behind, without its ending: of "plan C" the plan. */
  readonly head?: string;
  /** The word behind a name: of "did York ship" the shipping. */
  readonly tail?: string;
  /** What a number counts: of "a 5 m cable" the "m". */
  readonly unit?: string;
}

interface Part {
  readonly raw: string;
  readonly value: string;
  /** What stands between it and the part before. */
  readonly gap: string;
}

/** Words and, unlike elsewhere, numbers in one piece: "2.2", "A-2", "1,200". */
const PART = /[\p{L}\p{N}\p{M}]+(?:[.,:\-–/]\p{N}+)*(?:['’]\p{L}+)?/gu;
const MAX_PARTS = 400;

const COUNTED = new Map(
  Object.entries({
    ...{ one: '1', two: '2', three: '3', four: '4', five: '5', six: '6', seven: '7', eight: '8', nine: '9', ten: '10' },
    ...{ uno: '1', dos: '2', tres: '3', cuatro: '4', cinco: '5', seis: '6', siete: '7', ocho: '8', nueve: '9' },
    diez: '10',
  }),
);
const UNIT =
  /^(?:%|mm|cm|m|km|g|kg|t|l|ml|w|kw|v|h|min|mins?|gb|mb|tb|a|c|f|s|eur|usd|gbp|euros?|dollars?|pounds?|libras?|minut\w*|hours?|horas?|days?|dias?|weeks?|semanas?|months?|mes|meses|years?|anos?|lit\w+|met\w+|kilo\w*|gram\w*)$/;
const MONTH =
  /^(?:january|february|march|april|may|june|july|august|september|october|november|december|enero|febrero|marzo|abril|mayo|junio|julio|agosto|sep?tiembre|octubre|noviembre|diciembre)$/;
const BEFORE_ADJECTIVE = /^(?:the|la|el|los|las|number|no|nr|num|numero|n)$/;
const JOINS = /^(?:and|or|y|e|o|u|to|a|through)$/;
const AFTER_LOWER_A =
  /^(?:costs?|ha(?:ve|s)|includes?|supports?|holds?|gets?|offers?|weighs?|takes?|lasts?|last|cover)$/;

function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const match of text.matchAll(PART)) {
    if (parts.length >= MAX_PARTS) break;
    const [raw] = match;
    const value = fold(raw).replace(/['’]s$/, '');
    parts.push({ raw, value: normal(value), gap: text.slice(end, match.index) });
    end = match.index + raw.length;
  }
  return parts;
}

/** "v2.2" is version 2.2, "iso-9001" is "iso9001", "1,200" is 1200 and the 1st is first. */
function normal(value: string): string {
  if (/^\d{1,3}(?:,\d{3})+$/.test(value)) return value.replaceAll(',', '');
  if (/^v\d/.test(value)) return value.slice(1);
  return /^[a-z]+[-–]\d+$/.test(value) ? value.replace(/[-–]/, '') : value;
}

/** The marks that a question gives, each with the word it stands behind. */
export function marksOf(text: string, language: Language): Mark[] {
  const parts = partsOf(text);
  const letters = text.replace(/[^\p{L}]/gu, '');
  const isShouted = letters.length > 4 && letters === letters.toUpperCase();
  const marks: Mark[] = [];
  for (const [i, part] of parts.entries()) {
    const kind = kindOf(parts, i, isShouted);
    if (kind === undefined) continue;
    const head = headOf(parts, i, language);
    if (kind === 'name') {
      const tail = parts[i + 1] && contentStem(parts[i + 1], language);
      const before = contentStem(parts[i - 1], language);
      marks.push({ value: part.value, kind, ...(before && { head: before }), ...(tail && { tail }) });
      continue;
    }
    const unit = kind === 'number' ? parts[i + 1]?.value : undefined;
    const isUnit = unit !== undefined && UNIT.test(unit);
    marks.push({ value: part.value, kind, ...(head !== undefined && { head }), ...(isUnit && { unit }) });
  }
  return marks.slice(0, 8);
}

function kindOf(parts: readonly Part[], i: number, isShouted: boolean): Mark['kind'] | undefined {
  const { raw, value } = parts[i];
  const before = parts[i - 1];
  const follows = before !== undefined && !/[.?!:]/.test(parts[i].gap);
  const isNoun = follows && !STOP_WORDS.has(before.value) && !/^\d/.test(before.value);
  if (/\d/.test(value)) return /^\p{L}|\d\p{L}/u.test(value) ? 'code' : 'number';
  if (COUNTED.has(value)) return undefined;
  if (follows && isMonth(parts[i])) return 'month';
  if (/^\p{L}$/u.test(raw)) {
    if (raw === raw.toUpperCase() && !isShouted)
      return isNoun || (follows && !/^[AIYOEU]$/.test(raw)) ? 'letter' : undefined;
    if (!isNoun) return undefined;
    if (value === 'a') return isMarkA(parts, i) ? 'letter' : undefined;
    return /^[eoyu]$/.test(value) ? undefined : 'letter';
  }
  if (!isShouted && /^\p{Lu}{2,6}$/u.test(raw)) return 'acronym';
  if (!isShouted && follows && /^\p{Lu}\p{Ll}/u.test(raw) && !STOP_WORDS.has(value)) return 'name';
  // "The us" and "the it" are no pronouns.
  return before !== undefined && /^(?:the|la)$/.test(before.value) && /^(?:us|it)$/.test(value) ? 'acronym' : undefined;
}

const contentStem = ({ value }: Part, language: Language): string | undefined =>
  STOP_WORDS.has(value) || /\d/.test(value) ? undefined : stem(value, language);

/** A small "a" is an article, unless nothing that could have one follows. */
const isMarkA = (parts: readonly Part[], i: number): boolean =>
  i === parts.length - 1 || AFTER_LOWER_A.test(parts[i + 1].value);

/** "May" is a month with its capital only, and so is "March". */
const isMonth = ({ raw, value }: Part): boolean => MONTH.test(value) && !/^m(?:ay|arch)/.test(raw.replace('mayo', ''));

const looksLikeMark = ({ raw, value }: Part): boolean =>
  /\d/.test(value) || /^\p{Lu}$/u.test(raw) || /^\p{Lu}{2,4}$/u.test(raw) || COUNTED.has(value);

/** The word before a mark, past other marks of the same kind: "plans A and B". */
function headOf(parts: readonly Part[], i: number, language: Language): string | undefined {
  for (let at = i - 1; at >= Math.max(0, i - 6); at--) {
    if (/[.;?!(]/.test(parts[at + 1].gap)) return undefined;
    const { value } = parts[at];
    if (looksLikeMark(parts[at]) || JOINS.test(value) || BEFORE_ADJECTIVE.test(value)) continue;
    return STOP_WORDS.has(value) ? undefined : stem(value, language);
  }
  return undefined;
}

/** A text that is compared with marks, read once. */
export interface Marked {
  readonly parts: readonly Part[];
  readonly values: ReadonlySet<string>;
  readonly text: string;
  readonly isRow: boolean;
}

export function readMarks(text: string, isRow: boolean): Marked {
  const parts = partsOf(text);
  const joined = parts.slice(1).map((part, i) => parts[i].value + part.value);
  return { parts, values: new Set([...parts.map(({ value }) => value), ...joined]), text, isRow };
}

/** Whether a text has the mark on the thing that it was asked of. */
export function hasMark(mark: Mark, { parts, values, text, isRow }: Marked, language: Language): boolean {
  const { value, kind, head, unit } = mark;
  switch (kind) {
    case 'code':
      return values.has(value);
    case 'name':
      // A name may also be that of all the texts; those who say another in its place are not about it.
      return values.has(value) || !saysOther(mark, { parts, values, text, isRow }, language);
    case 'month':
      return parts.some((part) => part.value === value && isMonth(part));
    case 'acronym':
      return parts.some((part) => sameAcronym(part, value));
    case 'letter': {
      const at = parts.flatMap((part, i) => (isLetter(parts, i) && part.value === value ? [i] : []));
      if (at.some((i) => head === undefined || headOf(parts, i, language) === head)) return true;
      return at.length > 0 && !saysOther(mark, { parts, values, text, isRow }, language);
    }
    case 'number': {
      const at = parts.flatMap((part, i) => ((COUNTED.get(part.value) ?? part.value) === value ? [i] : []));
      if (isYear(value)) return at.length > 0;
      if (unit !== undefined) {
        const isSame = (i: number) => stem(parts[i + 1]?.value ?? '', language) === stem(unit, language);
        return at.some(isSame) || holdsWithin(value, text);
      }
      if (head === undefined) return at.length > 0;
      if (isRow && at.some((i) => i === 0)) return true;
      return at.some((i) => headOf(parts, i, language) === head);
    }
  }
}

/** Whether a text has another mark of the kind in this one's place: plan A for plan C, 2022 for 2023. */
export function saysOther(mark: Mark, { parts }: Marked, language: Language): boolean {
  const { value, kind, head, tail } = mark;
  return parts.some((part, i) => {
    if (kind === 'name') {
      if (part.value === value || !/^\p{Lu}\p{Ll}/u.test(part.raw) || STOP_WORDS.has(part.value)) return false;
      const isBehind =
        head !== undefined && i > 0 && /^\s$/.test(part.gap) && contentStem(parts[i - 1], language) === head;
      const next = parts[i + 1];
      return isBehind || (tail !== undefined && next?.gap === ' ' && contentStem(next, language) === tail);
    }
    if (kind === 'month') return part.value !== value && isMonth(part);
    if (part.value === value || !looksLikeMark(part)) return false;
    if (kind === 'acronym') return /^\p{Lu}{2,6}$/u.test(part.raw) && !/^(?:EUR|USD|GBP|CHF)$/.test(part.raw);
    if (kind === 'number' && isYear(value)) return isYear(part.value);
    if (kind === 'code' && shapeOf(part.value) === shapeOf(value)) return true;
    if (head === undefined || headOf(parts, i, language) !== head) return false;
    // "The lift 450 kg" is an amount.
    return !UNIT.test(parts[i + 1]?.value ?? '');
  });
}

const isYear = (value: string): boolean => /^(?:19|20)\d\d$/.test(value);

const shapeOf = (value: string): string => value.replace(/\p{L}/gu, 'a').replace(/\d+/g, '0');

/** A capital by itself, but no "A" that begins a sentence and no initial. */
function isLetter(parts: readonly Part[], i: number): boolean {
  const { raw } = parts[i];
  if (!/^\p{L}$/u.test(raw)) return false;
  if (raw !== raw.toUpperCase()) return false;
  return i > 0 || !/^[AIYOEU]$/.test(raw) || !/^\s?\p{Ll}/u.test((parts[1]?.gap ?? '') + (parts[1]?.raw ?? ''));
}

/** "US" is no "us". */
const sameAcronym = ({ raw, value }: Part, wanted: string): boolean =>
  value === wanted && (!STOP_WORDS.has(wanted) || raw === raw.toUpperCase());

const LIMIT =
  /\b(more than|over|above|at least|less than|fewer than|under|below|up to|at most|mas de|al menos|menos de|hasta|mayores de|menores de) (\d+)(?![\d.,])/g;

/** Whether "with 20 days" is a case of "more than 15 days": the sentence sets a limit and the number keeps to it. */
function holdsWithin(value: string, text: string): boolean {
  if (!/^\d+$/.test(value)) return false;
  const asked = Number(value);
  return [...fold(text).matchAll(LIMIT)].some(([, sign, limit]) => {
    if (/^(?:more|over|above|mas|mayores)/.test(sign)) return asked > Number(limit);
    if (/^(?:at least|al menos)/.test(sign)) return asked >= Number(limit);
    if (/^(?:up to|at most|hasta)/.test(sign)) return asked <= Number(limit);
    return asked < Number(limit);
  });
}
