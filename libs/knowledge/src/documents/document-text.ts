/** A document as running text, for a model that reads no files. */
import type { DocumentBlock, ParsedDocument } from '../parsers/parser';
import { LimitExceededError } from '../parsers/parser-errors';

export interface DocumentText {
  /** `pdf`, `markdown`, …: what the content is. */
  readonly format: string;
  /** As the file itself says it. */
  readonly title?: string;
  /** Headings as in Markdown; before the first block of a page, a line that names it. */
  readonly text: string;
}

/** @throws LimitExceededError beyond `maxBytes`, which is what the text of a message may have in a body. */
export function documentText({ format, title, blocks }: ParsedDocument, maxBytes: number): DocumentText {
  const parts: string[] = [];
  let page: number | undefined;
  for (const block of blocks) {
    if (block.page !== undefined && block.page !== page) parts.push(`[page ${block.page}]`);
    page = block.page;
    parts.push(asMarkdown(block));
  }
  const text = parts.join('\n\n');
  if (Buffer.byteLength(text) > maxBytes) {
    throw new LimitExceededError(
      `the text of the file is larger than ${Math.round(maxBytes / 1024 ** 2)} MiB`,
      'MAX_MESSAGE_BODY_MB',
    );
  }
  return { format, ...(title !== undefined && { title }), text };
}

function asMarkdown({ kind, level, text }: DocumentBlock): string {
  if (kind === 'heading') return `${'#'.repeat(level ?? 1)} ${text}`;
  return kind === 'code' ? `\`\`\`\n${text}\n\`\`\`` : text;
}
