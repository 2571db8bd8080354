/** Makes a question that leans on an earlier one ("and in Spain?", "¿y la segunda?") stand on its own. */
import { smallTalk, withoutCourtesy } from './courtesy';
import { fold, STOP_WORDS, tokensOf, type Token } from './words';

const LEANS = /^[¿¡\s]*(?:and|what about|how about|or|y|e|qué hay de|que hay de|qué pasa con|que pasa con)\b[\s,]*/i;
const POINTS_BACK = /\b(?:it|they|them|that one|this one|there|those|ello|eso|esa|ese|allí|alli|ahí|ahi)\b/i;
/** Says that something exists, and of no place. */
const THERE_IS = /\b(?:(?:is|are|was|were|will|would) there|there (?:is|are|was|were|will|would))\b/gi;
const ASKS =
  /\b(?:what|which|who|when|where|why|how|is|are|does|do|can|que|cual|cuales|quien|cuando|donde|como|por que|cuanto|cuanta|cuantos|cuantas)\b/;
const ORDINAL =
  /^(?:first|second|third|fourth|fifth|sixth|last|primer[ao]?|segund[ao]|tercer[ao]?|cuart[ao]|quint[ao]|sext[ao]|ultim[ao])$/;
const ARTICLE = /^(?:the|a|an|el|la|los|las|un|una)$/;
const PREPOSITION = /^(?:in|at|for|from|with|to|en|para|de|del|con|a)$/;

/** The last of the user's messages, oldest first, with what it leaves out taken from those before. */
export function standalone(messages: readonly string[]): string {
  const asked = messages.filter((message, i) => i === messages.length - 1 || smallTalk(message) === undefined);
  return asked
    .map(withoutCourtesy)
    .reduce((before, message) => (before === '' ? message : resolve(before, message)), '');
}

function resolve(before: string, message: string): string {
  const lean = LEANS.exec(message);
  const rest = lean ? message.slice(lean[0].length) : message;
  const content = tokensOf(rest, 60).filter(({ word }) => !STOP_WORDS.has(word));
  if (!lean) {
    const isShort = content.length <= 3 && message.length <= 120;
    const said = content.length > 0 ? message.replace(THERE_IS, ' ') : message;
    return isShort && POINTS_BACK.test(fold(said)) ? `${withoutMark(before)}: ${message}` : message;
  }
  // "And how long is the warranty?" has all it needs, apart from a beginning.
  const namesItsSubject = content.length >= 2 || /\b(?:the|el|la|los|las) \p{L}/iu.test(rest);
  if (content.length > 0 && namesItsSubject && ASKS.test(fold(rest).slice(0, 30))) return rest;
  if (content.length === 0 || content.length > 8) return `${withoutMark(before)} ${rest}`;
  return replaced(before, withoutMark(rest)) ?? `${withoutMark(before)} ${rest}`;
}

const withoutMark = (text: string): string => text.trim().replace(/[?!.\s]+$/, '');

/** The earlier question with its place, ordinal, year or name exchanged for the new one. */
function replaced(before: string, rest: string): string | undefined {
  const old = tokensOf(before, 200);
  const fresh = tokensOf(rest, 30);
  const put = (start: number, end: number) => before.slice(0, start) + rest + before.slice(end);
  const [first] = fresh;
  if (PREPOSITION.test(first.word)) {
    const at = old.findLastIndex(({ word }) => word === first.word);
    if (at >= 0 && at + 1 < old.length) return put(old[at].start, endOfPhrase(old, at + 1, before));
  }
  if (ARTICLE.test(first.word) && fresh.length > 1 && !fresh.some(({ word }) => ORDINAL.test(word))) {
    const at = old.findLastIndex(({ word }, i) => ARTICLE.test(word) && i + 1 < old.length);
    if (at >= 0) return put(old[at].start, endOfPhrase(old, at, before));
  }
  const kinds: ((token: Token) => boolean)[] = [
    ({ word }) => ORDINAL.test(word),
    ({ word }) => /^\d+$/.test(word),
    ({ raw, start }) => /^\p{Lu}/u.test(raw) && start > 1,
  ];
  for (const isKind of kinds) {
    const given = fresh.find(isKind) ?? undefined;
    const at = old.findLastIndex((token) => isKind(token));
    if (!given || at < 0) continue;
    return before.slice(0, old[at].start) + given.raw + before.slice(old[at].end);
  }
  return undefined;
}

/** A preposition's phrase ends before the next small word that is no article, at punctuation, or after three words. */
function endOfPhrase(tokens: readonly Token[], from: number, text: string): number {
  let last = from;
  for (let i = from + 1; i < Math.min(tokens.length, from + 4); i++) {
    const gap = text.slice(tokens[i - 1].end, tokens[i].start);
    const isArticle = ARTICLE.test(tokens[i - 1].word);
    if (/[,;:.?!]/.test(gap) || (!isArticle && !/^\p{Lu}/u.test(tokens[i].raw))) break;
    last = i;
  }
  return tokens[last].end;
}
