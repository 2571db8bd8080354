/** Sentences as the search for an answer sees them: their words, what stands around them, what they say of a term. */
import { ideasAt, ideasOf } from './concepts';
import type { Language } from './language';
import type { Passage } from './passages';
import type { QuestionTerm } from './question';
import { sentencesOf, type Sentence } from './sentences';
import { saysNumber, STOP_WORDS, stem, tokensOf } from './words';

/** A sentence with everything that scoring asks of it. */
export interface Candidate {
  readonly sentence: Sentence;
  readonly passage: number;
  readonly mark?: string;
  /** Position among all candidates. */
  readonly position: number;
  readonly own: WordBag;
  /** Its headings, then the sentences just before it. */
  readonly around: readonly WordBag[];
}

/** The words of a text for comparing. */
export interface WordBag {
  readonly words: readonly string[];
  readonly stems: ReadonlySet<string>;
  readonly ideas: ReadonlySet<number>;
  /** The ideas that only its units stand for. */
  readonly units: ReadonlySet<number>;
}

const MAX_SENTENCES = 3000;

/** The sentences of the passages in order, at most 3,000 of them. */
export function candidatesOf(passages: readonly Passage[], language: Language): Candidate[] {
  const candidates: Candidate[] = [];
  const stems = new Map<string, string>();
  const bag = (text: string) => bagOf(text, language, stems);
  passages.forEach(({ text, mark }, passage) => {
    const sentences = sentencesOf(text, MAX_SENTENCES - candidates.length);
    const bags = sentences.map((sentence) => bag(sentence.text));
    const headingBags = new Map<string, WordBag>();
    sentences.forEach((sentence, i) => {
      const path = sentence.headings.join(' · ');
      const headings = headingBags.get(path) ?? bag(path);
      headingBags.set(path, headings);
      const isNear = (j: number) => sentences[j]?.paragraph === sentence.paragraph && sentence.kind !== 'row';
      const before = [i - 1, i - 2].filter(isNear).map((j) => bags[j]);
      candidates.push({
        sentence,
        passage,
        ...(mark !== undefined && { mark }),
        position: candidates.length,
        own: bags[i],
        around: [headings, ...before],
      });
    });
  });
  return candidates;
}

function bagOf(text: string, language: Language, known: Map<string, string>): WordBag {
  const words = tokensOf(text, 300).map(({ word }) => word);
  const stems = new Set<string>();
  const ideas = new Set<number>();
  for (const [i, word] of words.entries()) {
    let stemmed = known.get(word);
    if (stemmed === undefined) known.set(word, (stemmed = stem(word, language)));
    if (STOP_WORDS.has(word)) continue;
    stems.add(stemmed);
    for (const idea of ideasAt(words, i, stemmed, language)) ideas.add(idea);
  }
  return { words, stems, ideas, units: new Set(ideasOfUnits(text, words, language)) };
}

/** A sign or name of money. */
export const MONEY = /[€$£]|\b(?:eur|euros?|usd|dollars?|d[oó]lar(?:es)?|pounds|libras|gbp|chf|cents?|c[eé]ntimos?)\b/i;
const WEIGHTS = new Set(['kg', 'kilos', 'kilogramos', 'kilograms', 'grams', 'gramos']);
const LENGTHS = new Set('mm cm m km metres meters metros centimetros centimetres inches pulgadas feet m2'.split(' '));
const SPANS = new Set(
  `minutes hours days weeks months years year minutos horas dias semanas meses ano anos`.split(' '),
);

/** An amount of money is a price, kilograms are a weight, metres a size and so many months a duration. */
function ideasOfUnits(text: string, words: readonly string[], language: Language): readonly number[] {
  const said: string[] = [];
  if (!words.some(saysNumber)) return [];
  if (MONEY.test(text)) said.push(language === 'es' ? 'precio' : 'price');
  if (words.some((word) => WEIGHTS.has(word))) said.push(language === 'es' ? 'peso' : 'weight');
  if (words.some((word) => LENGTHS.has(word))) said.push(language === 'es' ? 'tamano' : 'size');
  if (words.some((word) => SPANS.has(word))) said.push(language === 'es' ? 'duracion' : 'duration');
  return said.flatMap((word) => ideasOf(stem(word, language), language));
}

/** Asks for a number that names something, as a telephone number does: digits stand for the word. */
export const asksForNumber = ({ word }: QuestionTerm): boolean => word === 'number' || word === 'numero';

/** How well a bag says a term, from 0 to 1: the word itself, one that means the same, one that begins the same. */
export function match(term: QuestionTerm, { words, stems, ideas, units }: WordBag): number {
  if (stems.has(term.stem)) return 1;
  if (asksForNumber(term)) return words.some((word) => /\d/.test(word)) ? 0.8 : 0;
  if (term.isName && /\d/.test(term.word)) return 0;
  if (term.ideas.some((idea) => ideas.has(idea) || units.has(idea))) return 0.8;
  if (term.stem.length < 5) return 0;
  for (const other of stems) {
    const shared = sharedPrefix(term.stem, other);
    if (shared >= 4 && shared >= 0.8 * Math.max(term.stem.length, other.length)) return 0.7;
  }
  return 0;
}

function sharedPrefix(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}
