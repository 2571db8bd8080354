/** Headings of plain text, which marks none: told by an underline, a number, a chapter word, or capitals. */
import { onOneLine } from './clean-text';

export interface TextHeading {
  readonly text: string;
  /** 1 to 6. */
  readonly level: number;
  /** The lines that follow it without a blank line between. */
  readonly rest: readonly string[];
}

const UNDERLINE_LEVELS: Readonly<Record<string, number>> = {
  '=': 1,
  '#': 1,
  '*': 1,
  '-': 2,
  _: 2,
  '~': 3,
  '^': 4,
  '"': 4,
};
const NUMBERED = /^(?:§\s?)?(\d{1,3}(?:\.\d{1,3}){0,5})\.?\s{1,4}(\p{L}.*)$/u;
const CHAPTER =
  /^(?:chapter|part|appendix|annex|section|cap[íi]tulo|parte|ap[ée]ndice|anexo|secci[óo]n)\s+(?:\d{1,3}|[ivxlc]{1,7}|[a-z])\b/iu;
const MAX_WORDS = 14;
const MAX_CHARACTERS = 120;

/** @param lines the lines between two blank lines. */
export function headingOf(lines: readonly string[]): TextHeading | undefined {
  if (lines[0].length > 4 * MAX_CHARACTERS) return undefined;
  const first = onOneLine(lines[0]);
  if (first.length > MAX_CHARACTERS || first === '') return undefined;
  return underlined(lines, first) ?? (lines.length === 1 ? standingAlone(lines[0], first) : undefined);
}

function underlined(lines: readonly string[], first: string): TextHeading | undefined {
  const rule = lines[1]?.trim() ?? '';
  const level = UNDERLINE_LEVELS[rule[0]];
  const asLong = Math.abs(rule.length - first.length) <= 3 + first.length * 0.2;
  if (!level || rule.length < 3 || !asLong || [...rule].some((character) => character !== rule[0])) return undefined;
  return /\p{L}/u.test(first) ? { text: first, level, rest: lines.slice(2) } : undefined;
}

function standingAlone(line: string, text: string): TextHeading | undefined {
  const indent = line.length - line.trimStart().length;
  if (text.split(' ').length > MAX_WORDS || /[.,;:!?]$/.test(text) || indent > 3) return undefined;
  const numbered = NUMBERED.exec(text);
  if (numbered) return { text, level: Math.min(6, numbered[1].split('.').length), rest: [] };
  if (CHAPTER.test(text)) return { text, level: 1, rest: [] };
  const letters = text.match(/\p{L}/gu) ?? [];
  const shouted = letters.length >= 3 && text === text.toUpperCase() && text !== text.toLowerCase();
  return shouted && !/[|=<>{}_/\\]/.test(text) ? { text, level: 2, rest: [] } : undefined;
}
