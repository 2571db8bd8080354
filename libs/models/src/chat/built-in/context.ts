/** Tells a question from a text that came with it. */
import { splitSentences } from './sentences';

export interface SplitText {
  readonly question: string;
  /** Empty when the message is only a question. */
  readonly context: string;
}

/** A message up to this length is a question, however many lines it has. */
const LONG = 400;
const MAX_CONTEXT = 300_000;
const MAX_QUESTION = 1000;

/** Looks for the question at the end of a long message, then at its beginning; blocks before the last are text. */
export function splitContext(blocks: readonly string[]): SplitText {
  const whole = blocks.join('\n\n').slice(0, MAX_CONTEXT);
  if (whole.length <= LONG) return { question: whole.trim(), context: '' };
  const last = blocks.at(-1)!.trim();
  if (blocks.length > 1 && last.length <= LONG) {
    return { question: last, context: blocks.slice(0, -1).join('\n\n').slice(0, MAX_CONTEXT) };
  }
  const tail = (
    blocks
      .join('\n\n')
      .trim()
      .slice(-MAX_QUESTION)
      .split(/\n\s*\n|\n/)
      .at(-1) ?? ''
  ).trim();
  const head = whole.trimStart().slice(0, MAX_QUESTION).split(/\n/)[0].trim();
  const atEnd = questionIn(tail, 'last');
  if (atEnd !== undefined) return { question: atEnd, context: withoutEnd(whole, atEnd) };
  const atStart = questionIn(head, 'first');
  if (atStart !== undefined) return { question: atStart, context: whole.replace(atStart, '').trim() };
  // A long message without a question is itself what the user says.
  return { question: (tail.length <= LONG ? tail : head).slice(0, MAX_QUESTION), context: whole };
}

const withoutEnd = (text: string, end: string): string =>
  text.trimEnd().endsWith(end) ? text.trimEnd().slice(0, -end.length).trim() : text;

/** An instruction such as "Summarise this text:" counts as a question. */
function questionIn(line: string, which: 'first' | 'last'): string | undefined {
  const sentences = splitSentences(line);
  const asks = (sentence: string) => /\?["'”»)]*$/.test(sentence) || INSTRUCTION.test(sentence);
  const found = which === 'last' ? sentences.findLast(asks) : sentences.find(asks);
  return found === undefined ? undefined : found.slice(-MAX_QUESTION);
}

const INSTRUCTION =
  /^(?:(?:question|pregunta)\s*:|(?:please |por favor,? )?(?:summari[sz]e|tell me|list|extract|explain|resume|resúmeme|dime|extrae|explica|enumera)\b)/i;
