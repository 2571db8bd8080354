import type { HeadFacts } from './head-facts';
import { date, type LinkedData } from './linked-data';
import type { PageFacts } from './page';

/** What the page says about itself, each by the best of the places where pages say it. */
export function pageFacts(
  head: HeadFacts,
  data: LinkedData,
  { url, heading, language }: { readonly url: string; readonly heading?: string; readonly language?: string },
): PageFacts {
  const meta = (...names: string[]) => names.map((name) => head.meta.get(name)).find((value) => value !== undefined);
  const siteName = meta('og:site_name', 'application-name');
  const said = meta('og:title', 'twitter:title', 'dc.title', 'citation_title') ?? data.headline ?? head.title;
  const author = meta(
    'author',
    'article:author',
    'dc.creator',
    'citation_author',
    'parsely-author',
    'sailthru.author',
    'byl',
    'item:author',
    'rel:author',
  );
  return withoutNothing({
    title: titleOf(said, heading, siteName),
    author: data.author ?? (author && !/^https?:/.test(author) ? author.replace(/^(?:by|por)\s+/i, '') : undefined),
    siteName,
    description: meta('description', 'og:description', 'twitter:description'),
    published:
      data.published ??
      date(
        meta(
          'article:published_time',
          'item:datepublished',
          'date',
          'dc.date',
          'dc.date.issued',
          'dcterms.created',
          'citation_publication_date',
          'publish-date',
          'pubdate',
          'parsely-pub-date',
          'sailthru.date',
        ),
      ) ??
      date(head.times[0]),
    modified:
      data.modified ??
      date(meta('article:modified_time', 'og:updated_time', 'item:datemodified', 'last-modified', 'dcterms.modified')),
    language: tag(head.language) ?? tag(meta('content-language', 'og:locale')) ?? tag(data.language) ?? tag(language),
    canonical: address(head.links.get('canonical') ?? meta('og:url'), url),
  });
}

/** `Page title – Site`: without the site. A heading that the title contains is the page's own name for itself. */
function titleOf(said: string, heading: string | undefined, siteName: string | undefined): string | undefined {
  const title = said.replace(/\s+/g, ' ').trim();
  if (title === '') return heading;
  if (heading !== undefined && heading.length >= 8 && title.toLowerCase().includes(heading.toLowerCase()))
    return heading;
  if (siteName !== undefined) {
    for (const mark of [' | ', ' - ', ' – ', ' — ', ' · ', ' :: ', ' » ']) {
      if (title.endsWith(mark + siteName)) return title.slice(0, -(mark + siteName).length);
    }
  }
  return title;
}

const tag = (language: string | undefined): string | undefined =>
  language && /^[a-z]{2,3}(?:[-_][a-z0-9]{2,8}){0,2}(?=$|[,;\s])/i.exec(language.trim())?.[0].replaceAll('_', '-');

function address(href: string | undefined, base: string): string | undefined {
  if (href === undefined || !URL.canParse(href, base)) return undefined;
  const url = new URL(href, base);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined;
}

const withoutNothing = (facts: PageFacts): PageFacts =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined && value !== '')) as PageFacts;
