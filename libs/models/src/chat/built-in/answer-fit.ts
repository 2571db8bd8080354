/** Whether a sentence is the kind of answer that a question wants: a number for "how many", a date for "when". */
import { MONEY, type Candidate, type WordBag } from './candidates';
import { ideasOf } from './concepts';
import type { Language } from './language';
import type { Question } from './question';
import { fold, saysNumber, stem } from './words';

const PRICE = new Set([...ideasOf(stem('price', 'en'), 'en'), ...ideasOf(stem('precio', 'es'), 'es')]);
const TIME_UNIT =
  /\b(minute|hour|day|week|month|quarter|year|minuto|hora|dia|semana|mes|trimestre|ano|noche|night)(s|es)?\b/;
const MONTH =
  /\b(january|february|march|april|may|june|july|august|september|october|november|december|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|monday|tuesday|wednesday|thursday|friday|saturday|sunday|lunes|martes|miercoles|jueves|viernes|sabado|domingo)\b/;

/** How well a sentence is of the wanted kind, as a bonus; undefined where it cannot be an answer. */
export function fitOf(question: Question, { sentence, own, around }: Candidate): number | undefined {
  const { wanted, counted } = question;
  const hasNumber = own.words.some(saysNumber);
  const folded = fold(sentence.text);
  if (/\?$/.test(sentence.text)) return undefined;
  switch (wanted) {
    case 'quantity': {
      const often = /\b(daily|weekly|monthly|annually|yearly|every|each|per|cada|diari|semanal|mensual|anual)/.test(
        folded,
      );
      if (!hasNumber && !often && !/\b(no|none|free|ningun|ninguna|gratis|gratuit)/.test(folded)) return undefined;
      const asksForPrice = question.terms.some(({ ideas }) => ideas.some((idea) => PRICE.has(idea)));
      const where = [sentence.text, ...sentence.headings].join(' ');
      if (asksForPrice && !MONEY.test(where) && !/\b(free|gratis|gratuit)/.test(folded)) return undefined;
      const isMoney =
        question.terms.some(({ ideas }) => ideas.some((idea) => own.ideas.has(idea))) && MONEY.test(folded);
      if (counted === undefined) return isMoney ? 0.3 : hasNumber ? 0.15 : 0;
      return hasNumber && countsIt(counted, own, around[0], question.language) ? 0.3 : undefined;
    }
    case 'duration':
      return hasNumber && TIME_UNIT.test(folded) ? 0.3 : hasNumber || TIME_UNIT.test(folded) ? 0.05 : -0.2;
    case 'time':
      return MONTH.test(folded) || /\d/.test(folded) ? 0.2 : TIME_UNIT.test(folded) ? 0.1 : 0;
    case 'person':
      return /\p{Ll} \p{Lu}\p{Ll}+/u.test(sentence.text) ? 0.1 : 0;
    case 'place':
      return /\b(?:in|at|on|en|street|calle|avenida|floor|planta)\b/.test(folded) ? 0.08 : 0;
    case 'definition':
      return defines(question, folded) ? 0.25 : 0;
    case 'steps':
      return sentence.kind === 'item' || /^(to|para|press|hold|pulse|mantenga|send|envie)\b/.test(folded) ? 0.1 : 0;
    default:
      return 0;
  }
}

/** A number close to the thing that is counted, or in a row or item under its name. */
function countsIt(counted: string, { words }: WordBag, headings: WordBag, language: Language): boolean {
  const ideas = ideasOf(counted, language);
  const isCounted = (word: string) => {
    const other = stem(word, language);
    return other === counted || ideasOf(other, language).some((idea) => ideas.includes(idea));
  };
  const near = words.some(
    (word, i) =>
      saysNumber(word) &&
      (!isUnit(words[i + 1]) || isCounted(words[i + 1])) &&
      words.slice(Math.max(0, i - 3), i + 4).some((other) => isCounted(other)),
  );
  return near || headings.stems.has(counted);
}

const isUnit = (word: string | undefined): boolean => word !== undefined && TIME_UNIT.test(word);

function defines({ terms }: Question, folded: string): boolean {
  const first = terms.find((term) => !term.isLight);
  if (!first) return false;
  const at = folded.indexOf(first.word.slice(0, Math.max(4, first.stem.length)));
  return (
    at >= 0 &&
    at < 40 &&
    /^.{0,60}?\b(is|are|means|refers to|es|son|significa|se refiere|consiste)\b|^[^:]{2,40}:/.test(folded.slice(at))
  );
}
