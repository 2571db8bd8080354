/**
 * A result that was too large to be given whole is read on in, page by page, until something in it answers.
 *
 * Only the newest page is looked at: the others have been, and did not.
 */
import type { ToolDeclaration } from '../chat-model';
import type { PlannedCall } from './choose-tool';
import type { AnsweredCall, ReadConversation } from './conversation-reading';
import { quotePassages } from './quote-passages';

/** Reading is quick, but it is done while others wait. */
const MAX_PAGES = 12;
const SHORTENED =
  /\n\n\[This result was shortened: it has (\d+) characters [^\]]{0,200}Read on with (\w+): \{"handle": "([\w-]+)", "offset": (\d+)\}\]$/;
const PAGE_END = /\n\n\[Characters \d+ to (\d+) of \d+\.\]$/;
const ADDRESSES = /https?:\/\/\S+/g;

export type ReadOn =
  | { readonly next: PlannedCall }
  /** With the page that answers in the place of the result, where there is one. */
  | { readonly results: readonly AnsweredCall[] };

export function readOn({ results, question, language }: ReadConversation, offered: readonly ToolDeclaration[]): ReadOn {
  const pagesOf = (reader: string, handle: string) =>
    results.filter(({ name, input, isError }) => name === reader && input.handle === handle && !isError);
  const readers = new Set<string>();
  const told: AnsweredCall[] = [];
  for (const result of results) {
    const [mark, total, reader = '', handle = '', from] = SHORTENED.exec(result.text) ?? [];
    const tool = offered.find(({ name }) => name === reader);
    if (mark === undefined || !tool || result.isError) {
      told.push(result);
      continue;
    }
    readers.add(reader);
    const pages = pagesOf(reader, handle);
    const newest = (pages.at(-1) ?? result).text.replace(SHORTENED, '').replace(PAGE_END, '');
    const asked = question.replace(ADDRESSES, ' ').trim() || question;
    if (quotePassages(asked, [{ text: newest }], language).length > 0) {
      told.push({ ...result, text: newest });
      continue;
    }
    const offset = Number(pages.length > 0 ? (PAGE_END.exec(pages.at(-1)!.text)?.[1] ?? total) : from);
    if (pages.length < MAX_PAGES && offset < Number(total)) {
      return { next: { tool, input: { handle, offset }, missing: [] } };
    }
    told.push({ ...result, text: result.text.replace(SHORTENED, '') });
  }
  return { results: told.filter(({ name }) => !readers.has(name)) };
}
