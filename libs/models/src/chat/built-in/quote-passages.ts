/**
 * Answers a question by quoting the sentences that fit it best, or not at all.
 *
 * Every sentence is measured by how much of the question it covers, alone and with what stands around it. Rare words
 * of the question count most, and a name that the passages do not know is a reason to decline: no answer is better
 * than one about something else.
 */
import type { Passage } from './passages';
import { readQuestion, type Question, type QuestionTerm, type Wanted } from './question';
import { denies, fitOf, isMeasure } from './answer-fit';
import { asksForNumber, candidatesOf, match, type Candidate, type WordBag } from './candidates';
import { leansBack, standsFor } from './distinguishers';
import type { Sentence } from './sentences';
import { fold } from './words';
import type { Language } from './language';

export interface Quote {
  readonly text: string;
  readonly mark?: string;
  /** An item of a list or a row of a table, to stand on a line of its own. */
  readonly isItem: boolean;
}

interface Scored {
  readonly candidate: Candidate;
  readonly score: number;
}

const MAX_QUOTES = 3;
const MAX_LIST_ITEMS = 8;
/** How much of a question, by weight, a quoted sentence and what stands around it have to cover. */
const ENOUGH = 0.6;
/** So many words that carry meaning make a question short. */
const SHORT_QUESTION = 3;
const NO_UNITS: ReadonlySet<number> = new Set();
/** Questions that one sentence answers. */
const ONE_FACT: readonly Wanted[] = ['quantity', 'time', 'duration', 'person', 'place'];
/** The same of a question for one value. */
const SHORT_EXACT = 4;
/** What `saidOf` is at least when a sentence, its headings or the sentences just before it say a term. */
const NEARBY = 0.4;

/** The sentences that answer `text`, in the order to say them; empty when nothing fits well enough. */
export function quotePassages(text: string, passages: readonly Passage[], fallback?: Language): Quote[] {
  const question = readQuestion(text, fallback);
  const candidates = candidatesOf(passages, question.language);
  if (candidates.length === 0) return [];
  if (question.asksForOverview || question.terms.every((term) => term.isLight && !term.isName)) {
    return question.asksForOverview ? overview(question, candidates).map(asQuote) : [];
  }
  const best = score(question, candidates);
  return best.length === 0 ? [] : select(question, best, candidates).map(asQuote);
}

const asQuote = ({ sentence, mark }: Candidate): Quote => ({
  text: sentence.text,
  isItem: sentence.kind !== 'prose',
  ...(mark !== undefined && { mark }),
});

interface Weighed {
  readonly term: QuestionTerm;
  readonly weight: number;
  /** By candidate: what it says itself. */
  readonly own: readonly number[];
  /** By passage: the best that any of its sentences or headings says. */
  readonly inPassage: ReadonlyMap<number, number>;
}

function weigh(term: QuestionTerm, candidates: readonly Candidate[]): Weighed {
  const own = candidates.map((candidate) => match(term, candidate.own));
  const inPassage = new Map<number, number>();
  candidates.forEach(({ passage, around }, i) => {
    const said = Math.max(own[i], match(term, around[0]));
    if (said > (inPassage.get(passage) ?? 0)) inPassage.set(passage, said);
  });
  const holding = own.filter((value) => value > 0).length;
  const rarity = Math.log(1 + candidates.length / (1 + holding)) / Math.log(1 + candidates.length);
  const kind = term.isLight && !term.isName ? 0.25 : term.isName ? 1.3 : 1;
  return { term, weight: kind * (0.5 + 0.5 * rarity), own, inPassage };
}

/** The sentences that may be quoted, best first. */
function score(question: Question, candidates: readonly Candidate[]): Scored[] {
  const terms = question.terms.map((term) => weigh(term, candidates));
  // A name that no passage knows: whatever else they say, they do not say it of that.
  if (terms.some(({ term, inPassage }) => term.isName && inPassage.size === 0)) return [];
  // So with a place or group that the question is limited to.
  if (terms.some(({ term, inPassage }) => term.isScope && !term.isLight && inPassage.size === 0)) return [];
  const heavy = terms.filter(({ term }) => !term.isLight);
  // A short question has no word to spare.
  if (heavy.length <= SHORT_QUESTION && heavy.some(({ inPassage }) => inPassage.size === 0)) return [];
  const total = terms.reduce((sum, { weight }) => sum + weight, 0);
  const passages = 1 + Math.max(...candidates.map(({ passage }) => passage));

  const isAboutIt = standsFor(question, candidates);
  const inWords = heavy.filter(({ term }) => !/\d/.test(term.word));
  const isExact = question.isExact && inWords.length <= SHORT_EXACT;
  // "What were the costs in 2022?": where nothing else is asked of, an amount is not yet a cost.
  const onlyMeasures = inWords.every(({ term }) => isMeasure(term));
  const mustSay = (term: QuestionTerm) => (!term.isLight || inWords.length === 0) && (isExact || term.isScope);

  const scored = candidates.flatMap((candidate): Scored[] => {
    let covered = 0;
    let own = 0;
    for (const term of terms) {
      const said = saidOf(term, candidate);
      covered += term.weight * said;
      own += term.weight * term.own[candidate.position];
      if (isPeriod(term.term) && term.own[candidate.position] === 0 && saysOtherPeriod(term.term, candidate)) return [];
      if (asksForNumber(term.term) && term.own[candidate.position] === 0) return [];
      if (question.countedKind.includes(term.term.stem) && saidOf(term, candidate) < NEARBY) return [];
      if (
        mustSay(term.term) &&
        !saysItself(term, candidate) &&
        !(isMeasure(term.term) && denies(question, candidate))
      ) {
        return [];
      }
      if (onlyMeasures && isMeasure(term.term) && !term.term.isLight && !saysInWords(term.term, candidate)) return [];
      if (term.term.isName && !namesIt(term, candidate, question)) return [];
    }
    const coverage = covered / total;
    const ownCoverage = own / total;
    if (coverage < ENOUGH || ownCoverage === 0) return [];
    const fit = fitOf(question, candidate);
    if (fit === undefined || !isAboutIt(candidate)) return [];
    const rank = 0.08 * (1 - candidate.passage / passages);
    const length = candidate.own.words.length > 60 ? -0.1 : candidate.own.words.length < 4 ? -0.1 : 0;
    return [{ candidate, score: 0.6 * coverage + 0.4 * ownCoverage + fit + rank + length }];
  });
  return scored.sort((a, b) => b.score - a.score || a.candidate.position - b.candidate.position);
}

const PERIODS = [
  'daily',
  'weekly',
  'monthly',
  'quarterly',
  'annual',
  'diario',
  'semanal',
  'mensual',
  'trimestral',
  'anual',
];
const PERIOD = /^(?:dai?ly|week|month|quarterl|annual|year|diari|semanal|mensual|trimestral|anual)/;

const isPeriod = ({ word }: QuestionTerm): boolean => PERIODS.includes(word);

/** A monthly fee is not the annual one. */
const saysOtherPeriod = (term: QuestionTerm, { own }: Candidate): boolean =>
  match(term, own) === 0 && own.words.some((word) => PERIOD.test(word));

/** How much a sentence says of a term with the help of its headings, of the sentences before it, of its passage. */
function saidOf({ term, own, inPassage }: Weighed, { position, around, passage }: Candidate): number {
  const [headings, ...before] = around;
  return Math.max(
    own[position],
    0.9 * match(term, headings),
    ...before.map((bag) => 0.6 * match(term, bag)),
    0.25 * (inPassage.get(passage) ?? 0),
  );
}

/** Whether a sentence or its headings say a term in words, not only by a unit. */
const saysInWords = (term: QuestionTerm, { own, around }: Candidate): boolean =>
  [own, around[0]].some((bag) => match(term, { ...bag, units: NO_UNITS }) > 0);

/** Whether a sentence says a term, or its headings do, or the sentence that it leans on. */
function saysItself({ term, own }: Weighed, candidate: Candidate): boolean {
  const [headings, before] = candidate.around;
  if (own[candidate.position] > 0 || match(term, headings) > 0) return true;
  return before !== undefined && leansBack(candidate) && match(term, before) > 0;
}

/**
 * Whether a sentence is about the name that the question asks about. One that says another name in its place is not;
 * one that names nobody is if its passage does, or, for a name that limits nothing, if any passage does.
 */
function namesIt({ term, own, inPassage }: Weighed, candidate: Candidate, question: Question): boolean {
  const { around, position, passage, sentence } = candidate;
  if (own[position] > 0 || match(term, around[0]) > 0) return true;
  if (term.isScope && !inPassage.has(passage)) return false;
  return !otherNames(sentence, question);
}

/** Whether a sentence says, behind a scope word, a name that the question does not. */
function otherNames({ text }: Sentence, question: Question): boolean {
  const asked = new Set(question.terms.map(({ word }) => word));
  for (const [, name] of text.matchAll(
    /(?:^|\s)(?:[Ii]n|[Aa]t|[Tt]o|[Oo]f|[Ff]or|[Ff]rom|[Ee]n|[Pp]ara|[Dd]el?|[Aa]) (\p{Lu}\p{L}{2,})/gu,
  )) {
    if (!asked.has(fold(name))) return true;
  }
  return false;
}

/** One to three sentences out of the best: those that say more than the first, in the order of their passage. */
function select(question: Question, scored: readonly Scored[], candidates: readonly Candidate[]): Candidate[] {
  const [best] = scored;
  const chosen = [best.candidate];
  const isOneFact = ONE_FACT.includes(question.wanted);
  const close = isOneFact ? 0.92 : 0.8;
  const limit = isOneFact ? 2 : MAX_QUOTES;
  for (const { candidate, score: value } of scored.slice(1, 12)) {
    if (chosen.length >= limit) break;
    if (value < close * best.score) break;
    if (chosen.some((other) => overlap(other.own, candidate.own) > 0.6)) continue;
    chosen.push(candidate);
  }
  const whole = chosen.flatMap((candidate) => withIntroduction(candidate, candidates));
  const listed = whole.flatMap((candidate) => withList(candidate, candidates));
  const unique = [...new Set(listed)];
  const firstOf = new Map(unique.map(({ passage }) => [passage, unique.findIndex((c) => c.passage === passage)]));
  return unique
    .sort((a, b) => firstOf.get(a.passage)! - firstOf.get(b.passage)! || a.position - b.position)
    .slice(0, MAX_QUOTES + MAX_LIST_ITEMS);
}

/** A sentence that begins with "this" or "ello" needs the one before it. */
function withIntroduction(candidate: Candidate, all: readonly Candidate[]): Candidate[] {
  const before = all[candidate.position - 1];
  const leansBack =
    /^(this|these|it|they|that|however|esto|esta|este|estos|estas|ello|dicho|dicha|sin embargo|en ese caso)\b/;
  const near = before?.passage === candidate.passage && before.sentence.paragraph === candidate.sentence.paragraph;
  return near && candidate.sentence.kind === 'prose' && leansBack.test(fold(candidate.sentence.text.slice(0, 40)))
    ? [before, candidate]
    : [candidate];
}

/** A sentence that ends with a colon needs the list under it. */
function withList(candidate: Candidate, all: readonly Candidate[]): Candidate[] {
  if (!candidate.sentence.text.endsWith(':')) return [candidate];
  const items: Candidate[] = [];
  for (const next of all.slice(candidate.position + 1, candidate.position + 1 + MAX_LIST_ITEMS)) {
    if (next.passage !== candidate.passage || next.sentence.kind === 'prose') break;
    items.push(next);
  }
  return [candidate, ...items];
}

function overlap(a: WordBag, b: WordBag): number {
  const shared = [...a.stems].filter((word) => b.stems.has(word)).length;
  return shared / Math.max(1, Math.min(a.stems.size, b.stems.size));
}

/** What the passages are about: how the best of them begin. */
function overview(question: Question, candidates: readonly Candidate[]): Candidate[] {
  const about = question.terms.filter(
    (term) => !term.isLight && !/^(summar|overview|resum|trat|about|contain)/.test(term.word),
  );
  const known = about.every((term) => candidates.some(({ own, around }) => match(term, own) || match(term, around[0])));
  if (!known) return [];
  const prose = candidates.filter(({ sentence }) => sentence.kind === 'prose' && sentence.text.length > 30);
  const first = new Map<number, Candidate>();
  for (const candidate of prose) if (!first.has(candidate.passage)) first.set(candidate.passage, candidate);
  const openings = [...first.values()].slice(0, MAX_QUOTES);
  if (openings.length !== 1) return openings;
  return prose.filter(({ passage }) => passage === openings[0].passage).slice(0, MAX_QUOTES);
}
