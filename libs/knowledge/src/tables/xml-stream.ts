/** XML piece by piece, of any charset, with nothing that could be meant ill: no document type, no endless nesting. */
import { encodingExists, getDecoder } from 'iconv-lite';
import { SaxesParser, type SaxesTagNS, type SaxesTagPlain } from 'saxes';
import { byteOrderMark } from '../parsers/charset';
import { UnsafeFileError, UnsupportedFileError } from '../parsers/parser-errors';

export interface XmlListener<Tag> {
  open(tag: Tag): void;
  close(tag: Tag): void;
  text(text: string): void;
}

/** Deeper than any table in a table. */
const MAX_DEPTH = 256;
const PIECE = 64 * 1024;

/**
 * @throws UnsafeFileError for a document type and for elements nested too deep (SEC-73).
 * @throws UnsupportedFileError for what is no well-formed XML.
 */
export function readXml(bytes: Uint8Array, listener: XmlListener<SaxesTagPlain>): void {
  listen(new SaxesParser({ xmlns: false }) as unknown as Events<SaxesTagPlain>, bytes, listener);
}

/** The same, with names that know their namespace; takes twice as long. */
export function readNamespacedXml(bytes: Uint8Array, listener: XmlListener<SaxesTagNS>): void {
  listen(new SaxesParser({ xmlns: true }) as unknown as Events<SaxesTagNS>, bytes, listener);
}

/** What is used of a parser, whose own types tell the kinds of tags apart by its options. */
interface Events<Tag> {
  on(event: 'opentag' | 'closetag', handler: (tag: Tag) => void): void;
  on(event: 'text' | 'cdata', handler: (text: string) => void): void;
  on(event: 'doctype' | 'error', handler: (cause: unknown) => void): void;
  write(text: string): { close(): unknown };
}

function listen<Tag>(parser: Events<Tag>, bytes: Uint8Array, listener: XmlListener<Tag>): void {
  let depth = 0;
  parser.on('doctype', () => {
    throw new UnsafeFileError('the XML inside declares a document type, which no office program writes.');
  });
  parser.on('opentag', (tag: Tag) => {
    if (++depth > MAX_DEPTH) throw new UnsafeFileError(`the XML inside nests elements more than ${MAX_DEPTH} deep.`);
    listener.open(tag);
  });
  parser.on('closetag', (tag: Tag) => {
    depth--;
    listener.close(tag);
  });
  const text = (content: string) => listener.text(content);
  parser.on('text', text);
  parser.on('cdata', text);
  parser.on('error', (cause: unknown) => {
    throw new UnsupportedFileError('the file is damaged: the XML inside cannot be read.', { cause });
  });
  for (const piece of pieces(bytes)) parser.write(piece);
  parser.write('').close();
}

/** In the charset of the byte order mark, else that of the declaration, else UTF-8. */
function* pieces(bytes: Uint8Array): Generator<string> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const head = buffer.subarray(0, 300).toString('latin1');
  const declared = /^<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']/.exec(head)?.[1];
  const charset = byteOrderMark(bytes) ?? withoutMark(head) ?? declared ?? 'utf-8';
  if (!encodingExists(charset)) {
    throw new UnsupportedFileError(`the file is damaged: the XML inside is in ${charset}, which no one reads.`);
  }
  const decoder = getDecoder(charset);
  for (let at = 0; at < buffer.length; at += PIECE) yield decoder.write(buffer.subarray(at, at + PIECE));
  yield decoder.end() ?? '';
}

/** UTF-16 without a byte order mark: XML begins with a bracket and a letter or two. */
function withoutMark(head: string): string | undefined {
  if (/^<\0.\0/s.test(head)) return 'utf-16le';
  return /^\0<\0/.test(head) ? 'utf-16be' : undefined;
}
