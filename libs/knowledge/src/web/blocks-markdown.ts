import type { DocumentBlock } from '../parsers/parser';

/** Characters that are not seen: hidden messages are written in them, and words are cut by them (SEC-146). */
const UNSEEN = /[\u{e0000}-\u{e007f}\u200b\u2060-\u2064\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** Blocks as Markdown, with the pages they stand on where the format has pages. */
export function blocksToMarkdown(blocks: readonly DocumentBlock[]): string {
  const parts: string[] = [];
  let page: number | undefined;
  for (const block of blocks) {
    if (block.page !== undefined && block.page !== page) {
      page = block.page;
      parts.push(`[Page ${page}]`);
    }
    parts.push(written(block));
  }
  return withoutUnseen(parts.join('\n\n'));
}

function written({ kind, text, level }: DocumentBlock): string {
  if (kind === 'heading') return `${'#'.repeat(level ?? 2)} ${text.replace(/\s*[¶§#🔗]\s*$/u, '')}`;
  return kind === 'code' ? fenced(text) : text;
}

/** In a fence that nothing inside can close. */
export function fenced(text: string, language = ''): string {
  const longest = (text.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

export const withoutUnseen = (text: string): string => (text.search(UNSEEN) === -1 ? text : text.replace(UNSEEN, ''));
