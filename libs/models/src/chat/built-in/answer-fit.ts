/** Whether a sentence is the kind of answer that a question wants: a number for "how many", a date for "when". */
import { MONEY, type Candidate, type WordBag } from './candidates';
import { ideasOf } from './concepts';
import type { Language } from './language';
import type { Question, QuestionTerm } from './question';
import { fold, saysNumber, stem } from './words';

const PRICE = new Set([...ideasOf(stem('price', 'en'), 'en'), ...ideasOf(stem('precio', 'es'), 'es')]);
const MEASURES = new Set(['price', 'weight', 'size', 'duration'].flatMap((word) => ideasOf(stem(word, 'en'), 'en')));
const TIME_UNIT =
  /\b(min|h|hr|minute|hour|day|week|month|quarter|year|minuto|hora|dia|semana|mes|trimestre|ano|noche|night)(s|es)?\b/;
const MONTH =
  /\b(january|february|march|april|may|june|july|august|september|october|november|december|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|monday|tuesday|wednesday|thursday|friday|saturday|sunday|lunes|martes|miercoles|jueves|viernes|sabado|domingo)\b/;

/** Orders to whoever answers, which a document has no business to give: they state no fact. */
const ORDER_TO_ANSWER =
  /^(?:["'(*]\s?)?(?:[a-z ]{1,30}:\s)?(?:(?:when|if) (?:you are )?asked\b[^,]{0,80},\s|si (?:te|le) preguntan\b[^,]{0,80},\s)?(?:(?:please|always|now|you must|you should|instead|por favor|siempre)[\s,]+){0,2}(?:(?:answer|reply|respond|say|state|claim|pretend|tell (?:the user|them|everyone|people)|assert)(?: to (?:the user|all questions|every question|everyone))? (?:that|with|only)|(?:ignore|disregard|forget) (?:all |any |every |the |your |these )*(?:previous|prior|earlier|above|other|preceding|instructions|rules)|(?:responde|responda|contesta|conteste|di|diga|afirma|afirme)(?: al usuario| siempre)? que|(?:ignora|ignore|olvida|olvide) (?:todas |todo |las |los |tus |sus )*(?:instrucciones|anteriores|reglas|lo anterior))\b/;
const ASKS_FOR_TIME =
  /\bhow long (?:does|do|did|will|would|can)\b.{0,200}\b(?:take|last|run|stay|wait)\b|\bcuanto (?:tiempo|tarda|dura)/;
const DENIES =
  /\b(?:there (?:is|are|was|were) no|(?:has|have|is|are) no|no hay|no (?:existe|existen|tiene|tienen|incluye|cubre|se ofrece)|not (?:offered|available|covered|provided|included))\b/;
const LIMITED_TO = /\b(?:for|in|on|at|during|from|en|para|durante)\s(?:(?:the|el|la|los|las)\s)?([\p{L}\p{N}]{2,40})/gu;

/** Whether a term asks for a measure: what something costs, weighs or how long it lasts. */
export const isMeasure = ({ ideas }: QuestionTerm): boolean => ideas.some((idea) => MEASURES.has(idea));

/** Whether a sentence says that there is none of what is asked, and not only for a case that was not asked about. */
export function denies({ terms, language }: Question, { sentence }: Candidate): boolean {
  const folded = fold(sentence.text);
  if (!DENIES.test(folded)) return false;
  const asked = new Set(terms.map((term) => term.stem));
  return [...folded.matchAll(LIMITED_TO)].every(([, word]) => asked.has(stem(word, language)));
}

/** How well a sentence is of the wanted kind, as a bonus; undefined where it cannot be an answer. */
export function fitOf(question: Question, candidate: Candidate): number | undefined {
  const { sentence, own, around } = candidate;
  const { wanted, counted } = question;
  const hasNumber = own.words.some(saysNumber);
  const folded = fold(sentence.text);
  if (/\?$/.test(sentence.text) || ORDER_TO_ANSWER.test(folded)) return undefined;
  if (['quantity', 'duration', 'time'].includes(wanted) && denies(question, candidate)) return 0.3;
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
        question.terms.some(({ ideas }) => ideas.some((idea) => own.ideas.has(idea) || own.units.has(idea))) &&
        MONEY.test(folded);
      if (counted === undefined) return isMoney ? 0.3 : hasNumber ? 0.15 : 0;
      return hasNumber && countsIt(counted, own, around[0], question.language) ? 0.3 : undefined;
    }
    case 'duration':
      if (ASKS_FOR_TIME.test(fold(question.text)) && !TIME_UNIT.test(folded) && !MONTH.test(folded)) return undefined;
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
