/** Where one source had no answer to a question, another is asked the same. */
import type { ToolDeclaration } from '../chat-model';
import type { PlannedCall } from './choose-tool';
import type { AnsweredCall, ReadConversation } from './conversation-reading';
import { looksLikePassages, passagesOf } from './passages';
import { quotePassages } from './quote-passages';
import { isNoAnswer } from './sql/tell-rows';

/** After tables and databases the texts, after the texts the database. */
export function otherSource(
  { results, language }: ReadConversation,
  offered: readonly ToolDeclaration[],
): PlannedCall | undefined {
  const [first] = results;
  const query = first?.input.query;
  if (typeof query !== 'string') return undefined;
  const builtInOf = ({ name }: AnsweredCall) => offered.find((tool) => tool.name === name)?.builtIn;
  const kinds = new Set(results.map(builtInOf));
  const ask = (builtIn: string): PlannedCall | undefined => {
    const tool = offered.find((one) => one.builtIn === builtIn);
    return tool && { tool, input: { query }, missing: [] };
  };
  const has = (kind: string | undefined) => kind === 'tabular_analysis' || kind === 'database_query';
  if ([...kinds].every(has)) {
    return results.every(({ text, isError }) => !isError && isNoAnswer(text)) ? ask('semantic_search') : undefined;
  }
  if (kinds.size > 1 || !kinds.has('semantic_search')) return undefined;
  return results.every((result) => saysNothing(result, query, language)) ? ask('database_query') : undefined;
}

/** Whether a search found no passage that answers. */
export function saysNothing(
  { text, isError }: AnsweredCall,
  question: string,
  language: ReadConversation['language'],
): boolean {
  if (isError) return false;
  return !looksLikePassages(text) || quotePassages(question, passagesOf(text), language).length === 0;
}
