/**
 * The XML of an OpenDocument, element by element, by the names that the standard gives them: which prefixes a file
 * writes is its own affair.
 */
import type { SaxesTagNS } from 'saxes';
import { readNamespacedXml } from './xml-stream';

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

const OASIS = 'urn:oasis:names:tc:opendocument:xmlns:';
const PREFIXES = new Map([
  ...['office', 'table', 'text', 'style'].map((name) => [`${OASIS}${name}:1.0`, name] as const),
  [`${OASIS}datastyle:1.0`, 'number'],
  ['urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0', 'calcext'],
]);

/** @throws as `readXml` does. */
export function readOdsXml(bytes: Uint8Array, listener: OdsListener): void {
  readNamespacedXml(bytes, {
    open: (tag) => listener.open(standardTag(tag)),
    close: (tag) => listener.close(nameOf(tag.uri, tag.local)),
    text: (text) => listener.text(text),
  });
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
