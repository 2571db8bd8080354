import { InvalidRequestError, text, type ResultContent, type ToolSpec, type Website } from '@app/contract';
import type { WebPage, WebPages } from '@app/knowledge';
import { estimateTokens } from '@app/models';
import { EgressError, MAX_URL } from '@app/platform';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { defineTool, ToolError, type ToolRun } from '../tool';
import { MAX_URLS } from '../user-urls';

/** Of one request, whatever its addresses are (SEC-20). */
const MAX_FETCHES = 20;

const address = z
  .string()
  .min(1)
  .max(MAX_URL * 2);

/** Reads pages of the web that the user has named (messages-api §6.5). `web_extract` is the same tool. */
export const webFetch = (pages: Pick<WebPages, 'read' | 'checkEnabled' | 'anyUrl'>) => {
  const readings = {};

  return defineTool({
    name: 'web_fetch',
    description:
      'Read a web page, PDF or text file whose address the user wrote in a message. Returns its text as Markdown with ' +
      'title, date and source. Use it whenever the user gives an address and asks about what is there. Other addresses, ' +
      'such as links inside a page, cannot be read unless the user writes them.',
    needs: null,
    input: z.object({
      url: address.describe('The address, exactly as the user wrote it, beginning with http:// or https://.'),
      urls: z
        .array(address)
        .max(MAX_URLS - 1)
        .optional()
        .describe('More addresses of the user to read in the same call.'),
    }),

    async check() {
      pages.checkEnabled();
    },

    async execute({ url, urls = [] }, run) {
      const memory = run.turn.once(readings, () => new Readings(pages));
      const wanted = [...new Set([url, ...urls])];
      const outcomes = await Promise.all(wanted.map((each) => memory.read(each, run)));
      if (outcomes.every((outcome) => typeof outcome === 'string')) throw new ToolError(outcomes.join('\n'));
      const told = outcomes.map((outcome) => (typeof outcome === 'string' ? outcome : pageText(outcome, run.spec)));
      return webFetchResult(
        outcomes.flatMap((outcome) => (typeof outcome === 'string' ? [] : [website(outcome)])),
        told.join('\n\n===\n\n'),
      );
    },
  });
};

type ReadPage = Extract<WebPage, { outcome: 'content' }>;

/** The pages of one request. One that has been fetched is not fetched again. */
class Readings {
  private readonly pages = new Map<string, Promise<ReadPage | string>>();

  constructor(private readonly source: Pick<WebPages, 'read' | 'anyUrl'>) {}

  /** A page, or in words why there is none; the first of them is the token. */
  read(written: string, run: ToolRun): Promise<ReadPage | string> {
    const url = parse(written);
    const refused = url === undefined ? 'invalid_tool_arguments: that is no web address.' : this.refusal(url, run);
    if (url === undefined || refused !== undefined) return Promise.resolve(refused!);
    url.hash = '';
    // What one tool of the request may read, another with other domains may not.
    const key = JSON.stringify([url.href, run.spec.allowed_domains, run.spec.blocked_domains]);
    const known = this.pages.get(key);
    if (known) return known;
    const most = Math.min(MAX_FETCHES, run.spec.max_uses ?? MAX_FETCHES);
    if (this.pages.size >= most) {
      const token = most === run.spec.max_uses ? 'max_uses_exceeded' : 'limit_exceeded';
      return Promise.resolve(`${token}: at most ${most} pages are read for one request.`);
    }
    const page = this.fetch(url, run);
    this.pages.set(key, page);
    return page;
  }

  private refusal(url: URL, { turn, spec }: ToolRun): string | undefined {
    if (url.href.length > MAX_URL)
      return `egress_denied: url_too_long: the address has more than ${MAX_URL} characters.`;
    if (!isInDomains(url, spec)) return `egress_denied: ${domainWords(url)}`;
    if (this.source.anyUrl) return undefined;
    const look = turn.userUrls.look(url);
    if (look === 'named') return undefined;
    if (look === 'too many') return `limit_exceeded: at most ${MAX_URLS} addresses of one message are read.`;
    return (
      `egress_denied: url_not_in_prior_context: ${url.href.slice(0, 500)} is in no message of the user, and only ` +
      'addresses that the user has written are read.'
    );
  }

  private async fetch(url: URL, { caller, signal, spec }: ToolRun): Promise<ReadPage | string> {
    // A page may lead on to another host: the request's domains hold there, too.
    const allow = (hop: URL) => {
      if (!isInDomains(hop, spec)) throw new EgressError('egress_denied', domainWords(hop));
    };
    try {
      const page = await this.source.read(caller, url.href, signal, allow);
      return page.outcome === 'content' ? page : `${page.outcome}: ${page.url}: ${page.why}`;
    } catch (error) {
      if (error instanceof InvalidRequestError) return error.message;
      throw error;
    }
  }
}

const domainWords = ({ hostname }: URL): string => `the request does not let pages of ${hostname} be read.`;

/** `example.com` stands for its sub-domains too, `example.com/docs` for what is below. */
function isInDomains(
  { hostname, pathname }: URL,
  { allowed_domains: allowed, blocked_domains: blocked }: ToolSpec,
): boolean {
  const isIn = (domain: string) => {
    const [host = '', ...path] = domain
      .toLowerCase()
      .replace(/^https?:\/\//, '')
      .split('/');
    const below = `/${path.join('/')}`.replace(/\/+$/, '');
    const isHost = hostname === host || hostname.endsWith(`.${host}`);
    return isHost && (below === '' || pathname === below || pathname.startsWith(`${below}/`));
  };
  return !(blocked ?? []).some(isIn) && (!allowed?.length || allowed.some(isIn));
}

/** The page as the model reads it: where it is from, what it says about itself, its text. */
function pageText(page: ReadPage, { max_content_tokens: most }: ToolSpec): string {
  const { title, url, author, published, modified, language, canonical, note, retrievedAt } = page;
  const facts = [
    `Source: ${url}`,
    canonical && canonical !== url ? `Canonical address: ${canonical}` : undefined,
    author && `Author: ${author}`,
    published && `Published: ${published}`,
    modified && modified !== published ? `Modified: ${modified}` : undefined,
    language && `Language: ${language}`,
    `Retrieved: ${retrievedAt}`,
    note && `Note: ${note}`,
  ].filter(Boolean);
  const markdown = most ? upTo(page.markdown, most) : page.markdown;
  return [title && !startsWith(markdown, title) ? `# ${title}` : undefined, facts.join('\n'), markdown]
    .filter(Boolean)
    .join('\n\n');
}

const startsWith = (markdown: string, title: string): boolean =>
  markdown
    .slice(0, title.length + 10)
    .replace(/^#+\s*/, '')
    .startsWith(title);

function upTo(markdown: string, tokens: number): string {
  const all = estimateTokens(markdown);
  if (all <= tokens) return markdown;
  const cut = markdown.slice(0, Math.floor((markdown.length * tokens) / all));
  return `${cut.replace(/[\ud800-\udbff]$/, '')}\n\n[Cut at ${tokens} tokens, as the request wants it.]`;
}

/** The `source` block for clients that know it, the text for everyone and the model. */
export const webFetchResult = (sources: Website[], words: string): ResultContent[] => [
  { type: 'source', sources },
  text(words),
];

function website(page: ReadPage): Website {
  const { url, title, description, format, retrievedAt, author, published, language, canonical } = page;
  const metadata = { retrieved_at: retrievedAt, author, published, language, canonical_url: canonical };
  return {
    object: 'context.website',
    id: randomUUID(),
    url,
    ...(title && { title }),
    ...(description && { description }),
    content_type: format,
    metadata: Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== undefined)),
  };
}

function parse(written: string): URL | undefined {
  return URL.canParse(written) ? new URL(written) : undefined;
}
