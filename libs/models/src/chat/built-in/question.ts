/** What a question is about and which kind of answer it wants. */
import { ideasAt } from './concepts';
import { languageOf, type Language } from './language';
import { fold, LIGHT_WORDS, stem, STOP_WORDS, tokensOf, type Token } from './words';

export type Wanted = 'quantity' | 'time' | 'duration' | 'person' | 'place' | 'definition' | 'steps' | 'list' | 'any';

export interface QuestionTerm {
  readonly word: string;
  readonly stem: string;
  readonly ideas: readonly number[];
  /** A name, an acronym or something with digits: an answer about another one is no answer. */
  readonly isName: boolean;
  /** Stands behind "in", "for" or "en", "para": says where or for whom, so that the answer must be about it. */
  readonly isScope: boolean;
  readonly isLight: boolean;
}

export interface Question {
  readonly text: string;
  readonly language: Language;
  readonly terms: readonly QuestionTerm[];
  readonly wanted: Wanted;
  /** Wants a yes, a no, or the value of one thing: an answer says every word of it. */
  readonly isExact: boolean;
  /** Asks for the whole instead of something in it ("summarise", "de qué trata"). */
  readonly asksForOverview: boolean;
  /** What "how many" counts, as a stem. */
  readonly counted?: string;
  /** The stems that narrow it: of "sick days" the "sick". */
  readonly countedKind: readonly string[];
}

const MAX_TERMS = 24;
const SCOPE_WORDS = new Set(['in', 'at', 'for', 'en', 'para', 'within', 'from', 'under', 'as']);

const WANTED: readonly (readonly [Wanted, RegExp])[] = [
  [
    'duration',
    /\b(how (long|soon|late|early)|cuanto (tiempo|dura|tarda|tardan|duran)|what is the (duration|length)|duracion)\b/,
  ],
  [
    'quantity',
    /\b(how (many|much|often|high|heavy|large|big|far)|what (percentage|percent|amount)|cuant[oa]s?|que (cantidad|porcentaje|importe))\b/,
  ],
  ['time', /\b(when|what (date|day|time|year|month)|by which date|cuando|que (dia|fecha|hora|ano|mes)|a que hora)\b/],
  ['person', /\b(who|whom|whose|quien|quienes)\b/],
  ['place', /\b(where|donde|adonde)\b/],
  [
    'steps',
    /\b(how (do|can|should|to|must)|what (steps|should i do)|como (se|puedo|debo|hago|hay que|podemos)|que (pasos|hago|debo hacer))\b/,
  ],
  ['definition', /\b(what (is|are|does .{1,40} mean)|que (es|son|significa)|define|definition of|definicion de)\b/],
  ['list', /\b(which|list|what are|cuales|enumera|lista)\b/],
];

const OVERVIEW =
  /\b(summari[sz]e|summary|overview|what (is|does) (this|the|it|that)( \w{1,20})? (about|say|contain)|resum(e|en|ir|elo)|de que (trata|va|habla)|que dice (el|este|la|esta) \w{1,20}$)\b/;

const ONE_VALUE: readonly Wanted[] = ['quantity', 'time', 'duration', 'place'];
const NAMES_VALUE =
  /\b(?:what(?: is|s|'s| are| was| were)|cual(?:es)? (?:es|son|era|eran|fue|fueron)) (?:the|its|el|la|los|las|su|sus)\b/;
const YES_NO_EN = /^\W{0,5}(?:is|are|was|were|does|do|did|can|could|may|must|should|has|have|will|would)\b/;
const ASKS_FOR_MORE_ES = /\b(?:que|cual|cuales|cuando|donde|adonde|como|cuant[oa]s?|quien|quienes)\b/;

/** Reads one question. Its language is that of its words; `fallback` decides where they leave it open. */
export function readQuestion(text: string, fallback: Language = 'en'): Question {
  const asked = text.slice(0, 2000);
  const language = languageOf(asked, fallback === 'es' ? 'el la de' : 'the of');
  const folded = fold(asked);
  const tokens = tokensOf(asked, 200);
  const terms = termsOf(tokens, asked, language);
  const wanted = WANTED.find(([, pattern]) => pattern.test(folded))?.[0] ?? 'any';
  const counted = countedBy(tokens, language);
  return {
    text: asked,
    language,
    terms,
    wanted,
    isExact: ONE_VALUE.includes(wanted) || NAMES_VALUE.test(folded) || isYesNo(asked, folded, language),
    asksForOverview: OVERVIEW.test(folded),
    ...(counted.length > 0 && { counted: counted.at(-1) }),
    countedKind: counted.slice(0, -1),
  };
}

const isYesNo = (asked: string, folded: string, language: Language): boolean =>
  language === 'es' ? asked.includes('?') && !ASKS_FOR_MORE_ES.test(folded) : YES_NO_EN.test(folded);

function termsOf(tokens: readonly Token[], text: string, language: Language): QuestionTerm[] {
  const terms = new Map<string, QuestionTerm>();
  const words = tokens.map(({ word }) => word);
  tokens.forEach((token, position) => {
    const { word } = token;
    const isNumber = /\d/.test(word);
    if (terms.size >= MAX_TERMS || STOP_WORDS.has(word) || (word.length < 2 && !isNumber)) return;
    const stemmed = stem(word, language);
    if (terms.has(stemmed)) return;
    terms.set(stemmed, {
      word,
      stem: stemmed,
      ideas: ideasAt(words, position, stemmed, language),
      isName: isNumber || isNameAt(tokens, position, text),
      isScope: isScopeAt(tokens, position),
      isLight: LIGHT_WORDS.has(word) || isAnswerKind(tokens, position),
    });
  });
  return [...terms.values()];
}

/** The "hour" of "at what hour": says which kind of answer is wanted, not what it is about. */
const isAnswerKind = (tokens: readonly Token[], position: number): boolean =>
  (tokens[position - 1]?.word === 'how' && /^(?:high|heavy|large|big|far|fast|quickly)$/.test(tokens[position].word)) ||
  (/^(?:what|which|que)$/.test(tokens[position - 1]?.word ?? '') &&
    /^(?:time|hour|date|day|year|month|hora|fecha|dia|ano|mes)$/.test(tokens[position].word));

/** Capitals in the middle of a sentence, or all capitals, unless everything is shouted. */
function isNameAt(tokens: readonly Token[], position: number, text: string): boolean {
  const { raw, start } = tokens[position];
  if (!/^\p{Lu}/u.test(raw)) return false;
  const capitals = tokens.filter((token) => /^\p{Lu}/u.test(token.raw)).length;
  if (tokens.length > 3 && capitals > tokens.length * 0.7) return false;
  if (/^\p{Lu}{2,}$/u.test(raw)) return true;
  return position > 0 && !/[.!?¿¡:\n]\s*$/.test(text.slice(Math.max(0, start - 4), start));
}

/** Behind a scope word, with nothing but small words and other names between. */
function isScopeAt(tokens: readonly Token[], position: number): boolean {
  for (let before = position - 1; before >= Math.max(0, position - 3); before--) {
    if (SCOPE_WORDS.has(tokens[before].word)) return true;
    if (!STOP_WORDS.has(tokens[before].word)) return false;
  }
  return false;
}

/** The group of words behind "how many", the thing counted last; Spanish says it first, English last. */
function countedBy(tokens: readonly Token[], language: Language): string[] {
  const asking = tokens.findIndex(
    ({ word }, i) => /^cuant[oa]s$/.test(word) || (word === 'many' && tokens[i - 1]?.word === 'how'),
  );
  if (asking < 0) return [];
  const group: string[] = [];
  for (const { word } of tokens.slice(asking + 1, asking + 6)) {
    if (word === 'de' && group.length === 1) continue;
    if (STOP_WORDS.has(word) || group.length === 3) break;
    group.push(word);
    if (language === 'es' && group.length === 2) break;
  }
  if (language === 'es') {
    const linked = tokens[asking + 2]?.word === 'de';
    return (linked ? group.reverse() : group.slice(0, 1)).map((word) => stem(word, language));
  }
  while (group.length > 1 && LIGHT_WORDS.has(group.at(-1)!)) group.pop();
  return group.map((word) => stem(word, language));
}
