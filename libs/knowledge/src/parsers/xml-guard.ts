/** XML of office files, scanned before a reader that would follow its declarations or its depth (SEC-73). */
import { SaxesParser } from 'saxes';
import { UnsafeFileError, UnsupportedFileError } from './parser-errors';

export const MAX_XML_DEPTH = 256;

/**
 * @throws UnsafeFileError for a document type (where entities would be declared) and for elements nested too deep.
 * @throws UnsupportedFileError for what is no well-formed XML.
 */
export function refuseUnsafeXml(xml: string): void {
  const parser = new SaxesParser();
  let depth = 0;
  parser.on('doctype', () => {
    throw new UnsafeFileError('the XML inside declares a document type, which no office program writes.');
  });
  parser.on('opentag', () => {
    if (++depth > MAX_XML_DEPTH) {
      throw new UnsafeFileError(`the XML inside nests elements more than ${MAX_XML_DEPTH} deep.`);
    }
  });
  parser.on('closetag', () => depth--);
  parser.on('error', (cause) => {
    throw new UnsupportedFileError('the file is damaged: the XML inside cannot be read.', { cause });
  });
  parser.write(xml).close();
}
