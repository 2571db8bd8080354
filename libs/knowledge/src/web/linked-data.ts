/** The JSON that a page carries: what it says about the page, and the text that its scripts would draw from it. */
import { readHtml } from '../parsers/parser.html';

/** Values that are looked at in all; a state of a shop has tens of thousands. */
const MAX_VALUES = 100_000;
const MAX_DEPTH = 40;
const MAX_TEXTS = 5000;
const WORDS = /\p{L}{2,40}(?=\s)/gu;
const LEAST_WORDS = 4;
const NO_PROSE = /^(?:https?:|data:|\/|[\w.-]+@|#|[{[<]?function\b|[.#@]?[\w-]+\s*\{)|;\s*$|\bvar\(--|\bpx\b/;
/** Keys whose text is about the machinery. */
const MACHINERY =
  /^(?:__\w+|css|style|styles|className|svg|path|html_attributes|query|graphql|mutation|translations?|i18n|messages|locale\w*|config\w*|env\w*|cookie\w*|consent\w*|gdpr\w*|tracking|analytics|seo|meta|buildId|src|srcSet|href|url|image\w*|icon\w*|id|key|token|hash|alt)$/i;
const TITLES = /^(?:title|headline|name|heading|label|question|h[1-6])$/i;
/** Of schema.org: what is said of a thing, in the order in which it is told. */
const TOLD = [
  'headline',
  'name',
  'description',
  'articleBody',
  'text',
  'recipeIngredient',
  'recipeInstructions',
  'acceptedAnswer',
];

export interface LinkedData {
  readonly headline?: string;
  readonly author?: string;
  readonly published?: string;
  readonly modified?: string;
  readonly language?: string;
  /** What the data tells, as paragraphs; empty where it tells nothing of its own. */
  readonly text: string;
}

type Fields = Readonly<Record<string, unknown>>;

export function readLinkedData(scripts: readonly string[]): LinkedData {
  const things = scripts.flatMap((script) => thingsIn(parse(script)));
  const main =
    things.find((thing) =>
      /Article|Posting|Report|Recipe|Product|Event|FAQPage|QAPage|JobPosting|Book|Course/.test(typeOf(thing)),
    ) ?? things.find((thing) => /WebPage/.test(typeOf(thing)));
  const told = things.filter(
    (thing) => !/WebSite|BreadcrumbList|Organization|ImageObject|SearchAction/.test(typeOf(thing)),
  );
  return {
    headline: words(main?.headline) ?? words(main?.name),
    author: authorOf(main?.author ?? main?.creator),
    published: date(main?.datePublished ?? main?.startDate),
    modified: date(main?.dateModified),
    language: words(main?.inLanguage),
    text: told
      .map((thing) => tell(thing, 0))
      .filter(Boolean)
      .join('\n\n'),
  };
}

/** The prose inside the state that a page's scripts start from, in its order. */
export function proseOfStates(states: readonly string[]): string {
  const texts: string[] = [];
  const seen = new Set<string>();
  let values = 0;
  const take = (value: unknown, key: string, title: string | undefined, depth: number): void => {
    if (++values > MAX_VALUES || depth > MAX_DEPTH || texts.length >= MAX_TEXTS || MACHINERY.test(key)) return;
    if (typeof value === 'string') {
      const text = asText(value);
      if (text === undefined || seen.has(text)) return;
      seen.add(text);
      if (title !== undefined && !seen.has(title)) {
        seen.add(title);
        texts.push(`## ${title}`);
      }
      texts.push(text);
    } else if (Array.isArray(value)) for (const each of value) take(each, '', title, depth + 1);
    else if (typeof value === 'object' && value !== null) {
      const own = Object.entries(value as Fields).find(
        ([name, inner]) => TITLES.test(name) && typeof inner === 'string',
      );
      const heading = own && (own[1] as string).trim() !== '' ? (own[1] as string).replace(/\s+/g, ' ').trim() : title;
      for (const [name, inner] of Object.entries(value as Fields)) {
        if (inner !== own?.[1]) take(inner, name, heading, depth + 1);
      }
    }
  };
  for (const state of states) take(parse(state), '', undefined, 0);
  return texts.join('\n\n');
}

/** A string that people are meant to read, without its tags; undefined for any other. */
function asText(value: string): string | undefined {
  if (value.length < 40 || value.length > 500_000) return undefined;
  if (/<(?:p|div|h[1-6]|ul|ol|table|br|span|strong|em|a)[\s>/]/i.test(value)) {
    try {
      return readHtml(value)
        .blocks.map(({ text }) => text)
        .join('\n\n');
    } catch {
      return undefined;
    }
  }
  const text = value.trim();
  const words = text.slice(0, 2000).match(WORDS)?.length ?? 0;
  return words >= LEAST_WORDS && !NO_PROSE.test(text) ? text : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.trim().replace(/^<!--|-->$/g, '')) as unknown;
  } catch {
    return undefined;
  }
}

function thingsIn(value: unknown, depth = 0): Fields[] {
  if (depth > 4 || typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.slice(0, 200).flatMap((each) => thingsIn(each, depth + 1));
  const fields = value as Fields;
  return '@graph' in fields ? thingsIn(fields['@graph'], depth + 1) : [fields];
}

const typeOf = (thing: Fields): string => [thing['@type']].flat().join(' ');

function tell(thing: Fields, depth: number): string {
  if (depth > 4) return '';
  const parts = TOLD.flatMap((name) => tellValue(thing[name], depth));
  if (/Product/.test(typeOf(thing))) parts.push(...offersOf(thing.offers));
  for (const name of ['mainEntity', 'itemListElement', 'item', 'hasPart'] as const) {
    const inner = [thing[name]].flat().slice(0, 500);
    for (const each of inner)
      if (typeof each === 'object' && each !== null) parts.push(tell(each as Fields, depth + 1));
  }
  return [...new Set(parts.filter(Boolean))].join('\n\n');
}

function tellValue(value: unknown, depth: number): string[] {
  if (typeof value === 'string')
    return [/<[a-z]/i.test(value) ? (asText(value) ?? value.replace(/<[^>]*>/g, ' ')) : value];
  if (Array.isArray(value)) return value.slice(0, 500).flatMap((each) => tellValue(each, depth));
  return typeof value === 'object' && value !== null ? [tell(value as Fields, depth + 1)] : [];
}

const offersOf = (offers: unknown): string[] =>
  [offers]
    .flat()
    .slice(0, 20)
    .flatMap((offer) => {
      const { price, lowPrice, priceCurrency, availability } = (offer ?? {}) as Fields;
      const amount = price ?? lowPrice;
      if (amount === undefined) return [];
      const state = typeof availability === 'string' ? `, ${availability.replace(/^.*\//, '')}` : '';
      return [`Price: ${String(amount as string)} ${words(priceCurrency) ?? ''}${state}`.trim()];
    });

function authorOf(author: unknown): string | undefined {
  const names = [author].flat().flatMap((each) => {
    const name = typeof each === 'string' ? each : words((each as Fields | undefined)?.name);
    return name && !/^https?:/.test(name) ? [name] : [];
  });
  return names.length > 0 ? names.slice(0, 10).join(', ') : undefined;
}

const words = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.replace(/\s+/g, ' ').trim().slice(0, 1000) : undefined;

/** Only what is a date, so that nothing else gets into the line that tells of it. */
export function date(value: unknown): string | undefined {
  const text = words(value);
  if (text === undefined || text.length > 60) return undefined;
  if (/^\d{4}(?:-\d\d(?:-\d\d(?:[T ][\d:.,]+(?:Z|[+-]\d\d:?\d\d)?)?)?)?$/.test(text)) return text;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString().slice(0, 10);
}
