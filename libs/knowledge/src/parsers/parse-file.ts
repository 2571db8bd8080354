/**
 * The door of the parsers: which one reads a file is told by its content, and must agree with its name (SEC-70).
 */
import { NotTextError } from './charset';
import { lookAt, type SeenFile } from './file-kind';
import type { ParsedDocument, Parser, ParserLimits, SourceFile } from './parser';
import { UnsupportedFileError } from './parser-errors';
import { htmlParser } from './parser.html';
import { markdownParser } from './parser.markdown';
import { docxParser } from './parser.docx';
import { pdfParser } from './parser.pdf';
import { textParser } from './parser.text';
import { delimitedParser } from './parser.delimited';
import { WORKBOOK_PARSERS } from './parser.workbook';

const PARSERS: readonly Parser[] = [
  pdfParser,
  docxParser,
  ...WORKBOOK_PARSERS,
  htmlParser,
  markdownParser,
  delimitedParser,
  textParser,
];

/**
 * Pure: reads nothing but the bytes it is given. Runs in a child process (SEC-04).
 *
 * @throws UnsupportedFileError for an extension that is not read, a content that is not what the extension says, an
 *   encrypted, damaged or empty file, and one without text.
 * @throws UnsafeFileError
 * @throws LimitExceededError
 */
export async function parseFile(file: SourceFile, limits: ParserLimits): Promise<ParsedDocument> {
  if (file.bytes.length === 0) throw new UnsupportedFileError('the file is empty (0 bytes).');
  const claimed = claimedBy(file.name);
  const seen = await lookAt(file.bytes);
  const parser = claimed ?? PARSERS.find(({ format }) => format === seen.format);
  if (!parser || !agree(parser, seen)) throw notWhatItClaims(claimed, seen.description);
  try {
    return await parser.parse(file, limits);
  } catch (error) {
    if (error instanceof NotTextError) throw notWhatItClaims(claimed, 'binary data');
    throw error;
  }
}

function claimedBy(name: string): Parser | undefined {
  const extension = /\.[\p{L}\p{N}_-]{1,20}$/u.exec(name)?.[0].toLowerCase();
  if (extension === undefined) return undefined;
  const parser = PARSERS.find(({ extensions }) => extensions.includes(extension));
  if (!parser) {
    const known = PARSERS.map(({ format, extensions }) => `${format} (${extensions.slice(0, 3).join(', ')})`).join(
      ', ',
    );
    throw new UnsupportedFileError(`files that end in ${extension} cannot be read. Supported: ${known}.`);
  }
  return parser;
}

/** HTML is text too: a name that claims text may hold its source, and a page may begin in the middle. */
function agree(parser: Parser, { format, hasTags }: SeenFile): boolean {
  if (parser.format === 'text' || parser.format === 'csv') return format === 'text' || format === 'html';
  if (parser.format === 'markdown') return format === 'text';
  if (parser.format === 'html') return hasTags === true;
  return format === parser.format;
}

function notWhatItClaims(claimed: Parser | undefined, description: string): UnsupportedFileError {
  return claimed
    ? new UnsupportedFileError(`the name says ${claimed.format}, but the content looks like ${description}.`)
    : new UnsupportedFileError(`the content looks like ${description}, which cannot be read.`);
}
