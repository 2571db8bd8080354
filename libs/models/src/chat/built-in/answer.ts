/** What the built-in model says when it calls nothing: from results, from the user's own text, or about itself. */
import type { ChatRequest } from '../chat-model';
import { clausesOf } from './choose-tool';
import { smallTalk } from './courtesy';
import type { AnsweredCall, ReadConversation } from './conversation-reading';
import { saysNothing } from './other-source';
import { looksLikePassages, passagesOf, type Passage } from './passages';
import { phrasesIn } from './phrases';
import { quotePassages, type Quote } from './quote-passages';
import { failureOf, tellDatabases } from './sql/tell-database';
import { isNoAnswer, saysNoTables, tellComputed } from './sql/tell-rows';
import { tellResult } from './tell-result';

/** Of documents and texts that were sent, how many are looked into. */
const MAX_TEXTS = 8;
/** From this length on, a tool's text is rather quoted from than repeated. */
const LONG_RESULT = 1500;

/** From what tools have returned since the user last spoke. */
export function answerFromResults(conversation: ReadConversation, { tools, citations }: ChatRequest): string {
  const { language, question, results } = conversation;
  const say = phrasesIn(language);
  const builtInOf = ({ name }: AnsweredCall) => tools.find((tool) => tool.name === name)?.builtIn;
  const isDatabase = (result: AnsweredCall) => builtInOf(result) === 'database_query';
  const isSearch = (result: AnsweredCall) =>
    !result.isError && (builtInOf(result) === 'semantic_search' || looksLikePassages(result.text));
  const searched = results.filter(isSearch);
  const passages = searched.flatMap(({ text }) => passagesOf(text));
  const parts: string[] = [];
  // Where the same was asked elsewhere because the texts did not tell, that they did not is no news.
  const isFallenBack = (result: AnsweredCall) =>
    results.some(
      (other) =>
        isDatabase(other) && other.input.query === result.input.query && !other.isError && !isNoAnswer(other.text),
    ) && saysNothing(result, String(result.input.query), language);
  if (searched.length > 0 && !searched.every(isFallenBack)) {
    // Beside other tools, the search was for its part of the question only.
    const [{ input }] = searched;
    const isPart = searched.length < results.length && typeof input.query === 'string';
    const answered = isPart ? String(input.query) : question;
    parts.push(
      passages.length === 0 ? say.nothingFound : answerFromPassages(answered, passages, conversation, citations),
    );
  }
  // Whoever asked texts does not care that there are no tables beside them.
  const isNoNews = ({ text, isError }: AnsweredCall) => searched.length > 0 && !isError && saysNoTables(text);
  for (const result of results.filter((other) => !isSearch(other) && !isNoNews(other)).slice(0, 20)) {
    const computed = tellRows(builtInOf(result), result, conversation);
    if (computed !== undefined) {
      parts.push(computed);
      continue;
    }
    const isPage = builtInOf(result) === 'web_fetch' || result.text.length > LONG_RESULT;
    const quotes = isPage && !result.isError ? quotePage(question, result.text, language) : [];
    const text = isDatabase(result) && result.isError ? failureOf(result.text, question) : result.text;
    parts.push(
      quotes.length > 0 ? inOnePiece(quotes, false) : tellResult({ ...result, text, tool: result.name }, language),
    );
  }
  return parts.join('\n\n');
}

/** What a tool that computes has found; undefined for other tools, and for failures. */
function tellRows(
  builtIn: string | undefined,
  { text, isError }: AnsweredCall,
  { question, language }: ReadConversation,
): string | undefined {
  if (isError) return undefined;
  if (builtIn === 'tabular_analysis') return tellComputed(text, language);
  return builtIn === 'database_query' ? tellDatabases(text, question, language) : undefined;
}

/** Lines above a page that say where it is from. */
const PAGE_FACTS = /^(?:Source|Canonical address|Author|Published|Modified|Language|Retrieved|Note): .*\n/gm;
const ADDRESSES = /https?:\/\/\S+/g;

/** From the text of a page; from what stands above it only where the text has nothing. The address is no part of it. */
function quotePage(question: string, page: string, language: ReadConversation['language']): Quote[] {
  const asked = question.replace(ADDRESSES, ' ').trim() || question;
  const quotes = quotePassages(asked, [{ text: page.replace(PAGE_FACTS, '') }], language);
  return quotes.length > 0 ? quotes : quotePassages(asked, [{ text: page }], language);
}

/** Each thing asked is answered or declined by itself. */
function answerFromPassages(
  question: string,
  passages: readonly Passage[],
  { language }: ReadConversation,
  citations: boolean,
): string {
  const say = phrasesIn(language);
  const whole = quotePassages(question, passages, language);
  const clauses = clausesOf(question);
  if (clauses.length === 1) return whole.length > 0 ? inOnePiece(whole, citations) : say.notAnswered;
  const answers = clauses.map((clause) => ({ clause, quotes: quotePassages(clause, passages, language) }));
  if (answers.every(({ quotes }) => quotes.length === 0)) {
    return whole.length > 0 ? inOnePiece(whole, citations) : say.notAnswered;
  }
  const told = new Set<string>();
  const texts = answers.flatMap(({ clause, quotes }) => {
    if (quotes.length === 0) return [say.notAnsweredPart(clause)];
    const fresh = quotes.filter(({ text }) => !told.has(text));
    for (const { text } of fresh) told.add(text);
    return fresh.length > 0 ? [inOnePiece(fresh, citations)] : [];
  });
  return texts.join('\n\n');
}

/** Sentences run on; items of a list stand under each other. Every one is followed by its mark. */
function inOnePiece(quotes: readonly Quote[], citations: boolean): string {
  const marked = quotes.map(({ text, mark, isItem }) => ({
    isItem,
    text: citations && mark !== undefined ? `${text} [${mark}]` : text,
  }));
  const asList = marked.length > 1 && marked.some(({ isItem }) => isItem);
  if (!asList) return marked.map(({ text }) => text).join(' ');
  return marked.map(({ text, isItem }) => (isItem ? `- ${text}` : text)).join('\n');
}

/** From a text that the user sent along; undefined when there is none or it does not fit. */
export function answerFromText({ texts, question, language }: ReadConversation): string | undefined {
  if (texts.length === 0) return undefined;
  const quotes = quotePassages(
    question,
    texts.slice(0, MAX_TEXTS).map((text) => ({ text })),
    language,
  );
  return quotes.length > 0 ? inOnePiece(quotes, false) : undefined;
}

/** Without tools, results or a text that answers. */
export function answerInOwnWords({ asked, language, texts, hasImages }: ReadConversation): string {
  const say = phrasesIn(language);
  if (asked === '') return hasImages ? `${say.noImages} ${say.askForQuestion}` : say.askForQuestion;
  const talk = smallTalk(asked);
  if (talk !== undefined) return say[talk];
  if (hasImages) return `${say.noImages} ${say.about}`;
  return texts.length > 0 ? say.notInText : say.about;
}
