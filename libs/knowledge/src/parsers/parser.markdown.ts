import { decodeText } from './charset';
import { readMarkdown } from './markdown-blocks';
import type { Parser } from './parser';
import { UnsupportedFileError } from './parser-errors';

export const markdownParser: Parser = {
  format: 'markdown',
  extensions: ['.md', '.markdown', '.mdown', '.mkd', '.mdx'],

  async parse({ bytes, charset }) {
    const document = readMarkdown(decodeText(bytes, charset));
    if (document.blocks.length === 0) throw new UnsupportedFileError('the file is empty: there is no text in it.');
    return document;
  },
};
