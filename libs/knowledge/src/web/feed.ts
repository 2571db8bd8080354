/** RSS, RDF and Atom as Markdown: what the feed is, and its entries, newest as the feed has them (SEC-73). */
import { SaxesParser } from 'saxes';
import { readHtml } from '../parsers/parser.html';
import { UnsafeFileError, UnsupportedFileError } from '../parsers/parser-errors';
import { date } from './linked-data';

const MAX_DEPTH = 256;
const MAX_ENTRIES = 1000;
const FIELDS =
  /^(?:title|link|description|summary|subtitle|tagline|content|content:encoded|pubdate|published|updated|dc:date|author|dc:creator|name|language|dc:language)$/;

type Fields = Record<string, string>;

export interface Feed {
  readonly title?: string;
  readonly language?: string;
  readonly markdown: string;
}

export const looksLikeFeed = (xml: string): boolean =>
  /<(?:rss|feed|rdf:RDF)[\s>]/i.test(xml.slice(0, 4096).replace(/<!--[\s\S]*?-->/g, ''));

/** @throws UnsafeFileError, UnsupportedFileError */
export function readFeed(xml: string, linkOf: (href: string) => string | undefined): Feed {
  const channel: Fields = {};
  const entries: Fields[] = [];
  const open: string[] = [];
  let entry: Fields | undefined;
  let text: string[] = [];
  const parser = new SaxesParser();
  parser.on('doctype', () => {
    throw new UnsafeFileError('the feed declares a document type.');
  });
  parser.on('opentag', ({ name, attributes }) => {
    const tag = name.toLowerCase();
    open.push(tag);
    if (open.length > MAX_DEPTH) throw new UnsafeFileError(`the feed nests elements more than ${MAX_DEPTH} deep.`);
    if ((tag === 'item' || tag === 'entry') && entries.length < MAX_ENTRIES)
      entries.push((entry = Object.create(null) as Fields));
    const { href, rel = 'alternate' } = attributes as Fields;
    if (tag === 'link' && href !== undefined && rel === 'alternate') (entry ?? channel).link ??= href;
    if (FIELDS.test(tag)) text = [];
  });
  const said = (part: string) => text.push(part);
  parser.on('text', said);
  parser.on('cdata', said);
  parser.on('closetag', ({ name }) => {
    const tag = name.toLowerCase();
    open.pop();
    if (tag === 'item' || tag === 'entry') entry = undefined;
    // An image or a text box of the channel has a title of its own.
    else if (FIELDS.test(tag) && !open.includes('image') && !open.includes('textinput')) {
      const value = text.join('').trim();
      if (value !== '') (entry ?? channel)[tag] ??= value;
    }
  });
  parser.on('error', (cause) => {
    throw new UnsupportedFileError('the feed is no well-formed XML.', { cause });
  });
  parser.write(xml).close();
  const parts = [
    plain(channel.description ?? channel.subtitle ?? channel.tagline ?? ''),
    ...entries.map((each) => told(each, linkOf)),
  ];
  return {
    title: channel.title && plain(channel.title),
    language: channel.language ?? channel['dc:language'],
    markdown: parts.filter(Boolean).join('\n\n'),
  };
}

function told(fields: Fields, linkOf: (href: string) => string | undefined): string {
  const title = plain(fields.title ?? '') || 'Untitled';
  const href = fields.link && linkOf(fields.link);
  const when = date(fields.pubdate ?? fields.published ?? fields['dc:date'] ?? fields.updated);
  const by = fields['dc:creator'] ?? fields.name ?? fields.author;
  const line = [when, by && plain(by)].filter(Boolean).join(' · ');
  const text = plain(fields['content:encoded'] ?? fields.content ?? fields.description ?? fields.summary ?? '');
  return [`## ${href ? `[${title}](${href})` : title}`, line, text].filter(Boolean).join('\n\n');
}

/** Feeds carry HTML as text. */
function plain(value: string): string {
  if (!/<[a-z/]|&(?:#\d+|\w+);/i.test(value)) return value.replace(/\s+/g, ' ').trim();
  try {
    return readHtml(`<body>${value}</body>`)
      .blocks.map(({ text }) => text)
      .join('\n\n');
  } catch {
    return '';
  }
}
