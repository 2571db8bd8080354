/**
 * The XML of an OpenDocument, element by element, by the names that the standard gives them: which prefixes a file
 * writes is its own affair.
 */
import { decode, encodingExists } from 'iconv-lite';
import { SaxesParser, type SaxesTagNS } from 'saxes';
import { UnsafeFileError, UnsupportedFileError } from '../parsers/parser-errors';
import { byteOrderMark } from '../parsers/charset';

export interface OdsTag {
  /** With the prefix that the standard uses: `table:table-row`. */
  readonly name: string;
  /** An attribute, '' where there is none. */
  of(attribute: string): string;
  has(attribute: string): boolean;
}

export interface OdsListener {
  open(tag: OdsTag): void;
  close(name: string): void;
  text(text: string): void;
}

/** Deeper than any table in a table. */
const MAX_DEPTH = 256;
const OASIS = 'urn:oasis:names:tc:opendocument:xmlns:';
const PREFIXES = new Map([
  ...['office', 'table', 'text', 'style'].map((name) => [`${OASIS}${name}:1.0`, name] as const),
  [`${OASIS}datastyle:1.0`, 'number'],
  ['urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0', 'calcext'],
]);

/**
 * @throws UnsafeFileError for a document type and for elements nested too deep (SEC-73).
 * @throws UnsupportedFileError for what is no well-formed XML.
 */
export function readOdsXml(bytes: Uint8Array, listener: OdsListener): void {
  const parser = new SaxesParser({ xmlns: true });
  let depth = 0;
  parser.on('doctype', () => {
    throw new UnsafeFileError('the XML inside declares a document type, which no office program writes.');
  });
  parser.on('opentag', (tag) => {
    if (++depth > MAX_DEPTH) throw new UnsafeFileError(`the XML inside nests elements more than ${MAX_DEPTH} deep.`);
    listener.open(standardTag(tag));
  });
  parser.on('closetag', (tag) => {
    depth--;
    listener.close(nameOf(tag.uri, tag.local));
  });
  const text = (content: string) => listener.text(content);
  parser.on('text', text);
  parser.on('cdata', text);
  parser.on('error', (cause) => {
    throw new UnsupportedFileError('the file is damaged: the XML inside cannot be read.', { cause });
  });
  parser.write(xmlText(bytes)).close();
}

function standardTag({ uri, local, attributes }: SaxesTagNS): OdsTag {
  let standard: Map<string, string> | undefined;
  const value = (attribute: string) => {
    if (!standard) {
      standard = new Map();
      for (const each of Object.values(attributes)) standard.set(nameOf(each.uri, each.local), each.value);
    }
    return standard.get(attribute);
  };
  return {
    name: nameOf(uri, local),
    of: (attribute) => value(attribute) ?? '',
    has: (attribute) => value(attribute) !== undefined,
  };
}

/** What is of no use here has a name that nobody asks for. */
const nameOf = (uri: string, local: string): string => `${PREFIXES.get(uri) ?? 'other'}:${local}`;

/** In the charset of the byte order mark, else that of the declaration, else UTF-8. */
function xmlText(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const declared = /^<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']/.exec(
    buffer.subarray(0, 300).toString('latin1'),
  )?.[1];
  const charset = byteOrderMark(bytes) ?? declared ?? 'utf-8';
  if (!encodingExists(charset)) {
    throw new UnsupportedFileError(`the file is damaged: the XML inside is in ${charset}, which no one reads.`);
  }
  return decode(buffer, charset);
}
