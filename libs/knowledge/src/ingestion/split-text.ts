/** Long text in pieces: at sentence ends, in a long sentence at clauses, then spaces, and in a giant word anywhere. */
import { countWords, isSpace, isUnspaced, LONGEST_WORD } from './count-words';

const SENTENCE_END = /[.!?…]+["'”’»)\]]*\s+|[。！？]+[”’」』）]*\s*/g;
/** What ends in a full stop without ending a sentence, in English and Spanish, in lower case and without the stop. */
const ABBREVIATIONS = new Set(
  (
    'mr mrs ms dr prof sr sra srta st jr vs etc e.g i.e cf al fig figs eq no nos vol pp p ed eds ch sec inc ltd co corp ' +
    'approx dept est art arts cap caps núm nº pág págs p.ej ej ee.uu aprox ud uds dra d dña gral lic ing avda tel ' +
    'jan feb mar apr jun jul aug sep sept oct nov dec ene abr ago dic'
  ).split(' '),
);

/** Sentences with the white space after them, so that joined they are the text again. */
export function* splitSentences(text: string): Generator<string> {
  let from = 0;
  for (const match of text.matchAll(SENTENCE_END)) {
    const end = match.index + match[0].length;
    if (end >= text.length || goesOn(text, match.index, match[0], end)) continue;
    yield text.slice(from, end);
    from = end;
  }
  if (from < text.length) yield text.slice(from);
}

function goesOn(text: string, stop: number, mark: string, next: number): boolean {
  if (/^[。！？]/.test(mark)) return false;
  if (/\p{Ll}/u.test(text[next])) return true;
  if (!mark.startsWith('.') || mark.startsWith('..')) return false;
  const before = /[\p{L}\p{N}.]{1,12}$/u.exec(text.slice(Math.max(0, stop - 12), stop))?.[0].toLowerCase() ?? '';
  return ABBREVIATIONS.has(before) || /^\p{L}$/u.test(before);
}

/** Pieces of at most `maxWords` words each (`countWords`), in order; joined they are the text again. */
export function* splitToFit(text: string, maxWords: number): Generator<string> {
  let from = 0;
  while (from < text.length) {
    const end = endOfPiece(text, from, maxWords);
    yield text.slice(from, end);
    from = end;
  }
}

function endOfPiece(text: string, from: number, maxWords: number): number {
  let words = 0;
  let run = 0;
  let clause = -1;
  let space = -1;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isSpace(code)) {
      space = at + 1;
      if (words > maxWords / 2 && /[,;:)–—]/.test(text[at - 1] ?? '')) clause = at + 1;
      run = 0;
      continue;
    }
    if (isUnspaced(code)) {
      words++;
      run = 0;
      if (words > maxWords / 2 && /[、，；：]/.test(text[at - 1] ?? '')) clause = at;
    } else if (run++ % LONGEST_WORD === 0) {
      words++;
    }
    if (words > maxWords) {
      if (clause > from) return clause;
      if (space > from) return space;
      // Never between the halves of a surrogate pair.
      const low = code >= 0xdc00 && code <= 0xdfff;
      return low && at - 1 > from ? at - 1 : Math.max(at, from + 1);
    }
  }
  return text.length;
}

/** Sentences as whole pieces; those that are too long, in parts. */
export function* sentencesToFit(text: string, maxWords: number): Generator<string> {
  for (const sentence of splitSentences(text)) {
    if (sentence.length <= maxWords || countWords(sentence) <= maxWords) yield sentence;
    else yield* splitToFit(sentence, maxWords);
  }
}
