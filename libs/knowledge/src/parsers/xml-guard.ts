/**
 * XML of office files, scanned before a reader that would follow its declarations or its depth (SEC-73), and made
 * lighter on the way: what only says how text looks is most of a Word document, and costs its reader a kilobyte for
 * each element.
 */
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { UnsafeFileError, UnsupportedFileError } from './parser-errors';

export const MAX_XML_DEPTH = 256;

/** A thousand pages have fewer; whatever builds a tree of more would be killed for its memory. */
export const MAX_XML_ELEMENTS = 200_000;

/** Fonts, spacing, borders, spelling marks, page layout. No text is inside. */
const LOOKS = new Set(
  (
    'w:spacing w:ind w:jc w:tabs w:pBdr w:shd w:proofErr w:bookmarkStart w:bookmarkEnd w:lastRenderedPageBreak ' +
    'w:sectPr w:tblPr w:tblGrid w:tcBorders w:tcW w:tcMar w:noProof w:contextualSpacing w:keepNext w:keepLines'
  ).split(' '),
);
/** How a run of text looks: of that only matters what would make another text of it. */
const RUN_LOOKS = 'w:rPr';
const LOOKS_ATTRIBUTE = /^(?:w:rsid|w14:|wp14:)/;

const ON = /^(?:1|true|on|)$/;

/** What the looks of a run say about its text, as its reader knows it: crossed out, above the line, below it. */
function meaningOf({ name, attributes }: SaxesTagPlain, raisedStyles: ReadonlySet<string>): string | undefined {
  const value = attributes['w:val'] ?? '';
  if (name === 'w:strike' || name === 'w:dstrike') return ON.test(value) ? '<w:strike/>' : undefined;
  if (name === 'w:rStyle') return raisedStyles.has(value) ? `<w:rStyle w:val="${value}"/>` : undefined;
  const isRaised = name === 'w:position' ? Number(value) > 0 : value === 'superscript';
  const isLowered = name === 'w:position' ? Number(value) < 0 : value === 'subscript';
  if ((name !== 'w:position' && name !== 'w:vertAlign') || (!isRaised && !isLowered)) return undefined;
  return `<w:vertAlign w:val="${isRaised ? 'super' : 'sub'}script"/>`;
}

/**
 * @param raisedStyles ids of styles that set text above or below the line.
 * @returns the same XML without the elements that only concern looks.
 * @throws UnsafeFileError for a document type (where entities would be declared) and for elements nested too deep.
 * @throws UnsupportedFileError for what is no well-formed XML.
 */
export function guardXml(xml: string, raisedStyles: ReadonlySet<string> = new Set()): string {
  const parser = new SaxesParser();
  const kept: string[] = [];
  let depth = 0;
  let elements = 0;
  /** The depth of the element that is being left out; 0 outside of one. */
  let leavingOut = 0;
  /** Where the looks of a run begin among what is kept. */
  let looksFrom = -1;
  let parent = '';
  parser.on('doctype', () => {
    throw new UnsafeFileError('the XML inside declares a document type, which no office program writes.');
  });
  parser.on('opentag', (tag) => {
    if (++depth > MAX_XML_DEPTH) {
      throw new UnsafeFileError(`the XML inside nests elements more than ${MAX_XML_DEPTH} deep.`);
    }
    if (leavingOut === 0 && (LOOKS.has(tag.name) || (tag.name === RUN_LOOKS && parent !== 'w:r'))) leavingOut = depth;
    if (leavingOut > 0) return;
    parent = tag.name;
    if (tag.name === RUN_LOOKS) looksFrom = kept.length;
    else if (looksFrom >= 0) {
      leavingOut = depth;
      const meant = meaningOf(tag, raisedStyles);
      if (meant === undefined) return;
      kept.push(meant);
    }
    if (looksFrom < 0 || tag.name === RUN_LOOKS) kept.push(openingOf(tag));
    if (++elements > MAX_XML_ELEMENTS) {
      throw new UnsafeFileError(
        `the XML inside has more than ${MAX_XML_ELEMENTS} elements. Split the document into parts.`,
      );
    }
  });
  parser.on('closetag', ({ name, isSelfClosing }) => {
    if (leavingOut === 0 && name === RUN_LOOKS && looksFrom >= 0) {
      if (looksFrom === kept.length - 1) kept.pop();
      else if (!isSelfClosing) kept.push(`</${name}>`);
      looksFrom = -1;
    } else if (leavingOut === 0 && !isSelfClosing) kept.push(`</${name}>`);
    if (leavingOut === depth) leavingOut = 0;
    depth--;
  });
  const text = (content: string) => leavingOut === 0 && kept.push(escape(content));
  parser.on('text', text);
  parser.on('cdata', text);
  parser.on('error', (cause) => {
    throw new UnsupportedFileError('the file is damaged: the XML inside cannot be read.', { cause });
  });
  parser.write(xml).close();
  return kept.join('');
}

function openingOf({ name, attributes, isSelfClosing }: SaxesTagPlain): string {
  let tag = `<${name}`;
  for (const [attribute, value] of Object.entries(attributes)) {
    if (!LOOKS_ATTRIBUTE.test(attribute)) tag += ` ${attribute}="${escape(value)}"`;
  }
  return isSelfClosing ? `${tag}/>` : `${tag}>`;
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text: string) =>
  /[&<>"]/.test(text) ? text.replace(/[&<>"]/g, (character) => ESCAPES[character]) : text;
