/**
 * What tells one thing from others of its kind by a word: the enterprise plan, the second floor, la tarifa premium,
 * la oficina de Vigo. A sentence about the basic plan says nothing of the enterprise plan.
 */
import { ideasOf } from './concepts';
import type { Language } from './language';
import { LIGHT_WORDS, saysNumber, stem, STOP_WORDS, tokensOf, type Token } from './words';

/** A thing and the word that says which one of its kind. */
export interface Modified {
  readonly modifier: string;
  readonly head: string;
}

const MAX_TOKENS = 300;
const INTRODUCES =
  /^(?:a|an|the|this|that|each|every|any|all|no|our|your|their|its|my|his|her|in|on|of|for|from|with|by|at|to|under|and|or|than|per|is|are|was|were|does|do|did|has|have|can|could|may|must|should|will|would)$/;
const SPANISH_VERB =
  /^(?:se|no|es|son|esta|estan|era|fue|tiene|tienen|hay|puede|pueden|debe|deben|ha|han|cuesta|cuestan|mide|miden|pesa|dura|cierra|abre|incluye|empieza|vale|admite|sale|llega|y|o|con|sin|en|para|que)$/;

/** The things of a text that are told from others of their kind. */
export function modifiedIn(text: string, language: Language): Modified[] {
  const tokens = tokensOf(text, MAX_TOKENS);
  const isApart = (i: number) => i === 0 || !/^[\s'"“”«»*-]*$/.test(text.slice(tokens[i - 1].end, tokens[i].start));
  return language === 'es' ? spanish(tokens, isApart) : english(tokens, isApart);
}

const isContent = (token: Token | undefined): token is Token =>
  token !== undefined && !STOP_WORDS.has(token.word) && token.word.length > 2 && !saysNumber(token.word);

/** English says it before: behind a small word or at the beginning, in a row of words that ends with the thing. */
function english(tokens: readonly Token[], isApart: (i: number) => boolean): Modified[] {
  const found: Modified[] = [];
  for (let i = 0; i + 1 < tokens.length; i++) {
    const begins = isApart(i) || INTRODUCES.test(tokens[i - 1].word);
    if (!begins || !isContent(tokens[i])) continue;
    for (let at = i; at < i + 3; at++) {
      if (!isContent(tokens[at + 1]) || isApart(at + 1)) break;
      found.push(pair(tokens[at], tokens[at + 1], 'en'));
    }
  }
  return found;
}

/** Spanish says it behind, with "de" or without, and ordinals before. */
function spanish(tokens: readonly Token[], isApart: (i: number) => boolean): Modified[] {
  const found: Modified[] = [];
  tokens.forEach((head, i) => {
    const next = tokens[i + 1];
    if (!isContent(head) || next === undefined || isApart(i + 1)) return;
    if (/^(?:primer|segund|tercer|cuart|quint|sext|ultim)/.test(head.word)) {
      if (isContent(next)) found.push(pair(head, next, 'es'));
      return;
    }
    if (/^(?:de|del)$/.test(next.word)) {
      const at = /^(?:la|los|las)$/.test(tokens[i + 2]?.word ?? '') ? i + 3 : i + 2;
      if (isContent(tokens[at])) found.push(pair(tokens[at], head, 'es'));
      return;
    }
    const isNoun = i > 0 && /^(?:el|la|los|las|un|una|de|del|en|con|por|cada|al|para|no)$/.test(tokens[i - 1].word);
    if (!isNoun || !isContent(next) || SPANISH_VERB.test(next.word)) return;
    const after = tokens[i + 2];
    const ends = after === undefined || isApart(i + 2) || SPANISH_VERB.test(after.word) || isContent(after);
    if (ends) found.push(pair(next, head, 'es'));
  });
  return found;
}

const pair = (modifier: Token, head: Token, language: Language): Modified => ({
  modifier: stem(modifier.word, language),
  head: stem(head.word, language),
});

/** Whether a text tells of another thing of the kind and nowhere says the word that was asked. */
export function tellsOfOther(
  asked: Modified,
  said: readonly Modified[],
  stems: ReadonlySet<string>,
  language: Language,
): boolean {
  if (isSaid(asked.modifier, stems, language)) return false;
  return said.some(({ modifier, head }) => same(head, asked.head, language) && modifier !== asked.head);
}

function isSaid(word: string, stems: ReadonlySet<string>, language: Language): boolean {
  return stems.has(word) || [...stems].some((other) => same(word, other, language));
}

function same(a: string, b: string, language: Language): boolean {
  if (a === b) return true;
  const ideas = ideasOf(a, language);
  return ideas.length > 0 && ideasOf(b, language).some((idea) => ideas.includes(idea));
}

/** Words that no question is narrowed by, such as the "valid" of "valid period". */
export const narrows = ({ modifier, head }: Modified): boolean => !LIGHT_WORDS.has(modifier) || LIGHT_WORDS.has(head);
