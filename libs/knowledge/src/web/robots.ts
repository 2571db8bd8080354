/** What sites ask of programs that read them: robots.txt, kept for a while (RFC 9309). */
import { EgressError, type WebClient, type WebLimits } from '@app/platform';
import type { PageReader } from './page-reader';

const KEPT_MS = 60 * 60 * 1000;
const KEPT_FILES = 500;
const LIMITS: WebLimits = {
  maxWireBytes: 512 * 1024,
  maxDecodedBytes: 512 * 1024,
  totalMs: 5000,
  settings: { size: 'WEB_ROBOTS', time: 'WEB_ROBOTS' },
};

type Rules = { readonly text: string } | { readonly status: number };

export class Robots {
  /** By organisation and origin: what one has visited does not show to another (SEC-106). */
  private readonly kept = new Map<string, { readonly until: number; readonly rules: Promise<Rules> }>();

  constructor(
    private readonly reader: PageReader,
    private readonly agent: string,
  ) {}

  /**
   * @param get fetches, in the turn that the page has already.
   * @throws EgressError `egress_denied` for a page that its site wants left alone.
   */
  async check(url: URL, organisationId: string, get: WebClient['fetch'], signal: AbortSignal): Promise<void> {
    const rules = await this.rulesOf(url, organisationId, get, signal);
    if ('status' in rules) {
      throw leftAlone(`${url.host} answers with status ${rules.status} when asked for its robots.txt`);
    }
    if (rules.text !== '' && !(await this.reader.mayRead(rules.text, url.href, this.agent, signal))) {
      throw leftAlone(`the robots.txt of ${url.host} does not want this page to be read by programs`);
    }
  }

  private rulesOf(
    { origin }: URL,
    organisationId: string,
    get: WebClient['fetch'],
    signal: AbortSignal,
  ): Promise<Rules> {
    const key = JSON.stringify([organisationId, origin]);
    const known = this.kept.get(key);
    if (known && known.until > Date.now()) return known.rules;
    const rules = this.load(origin, organisationId, get, signal);
    this.kept.set(key, { until: Date.now() + KEPT_MS, rules });
    // What came to nothing is asked again the next time.
    rules.then(
      (found) => 'status' in found && this.kept.delete(key),
      () => this.kept.delete(key),
    );
    if (this.kept.size > KEPT_FILES) this.kept.delete(this.kept.keys().next().value!);
    return rules;
  }

  private async load(
    origin: string,
    organisationId: string,
    get: WebClient['fetch'],
    signal: AbortSignal,
  ): Promise<Rules> {
    try {
      const { status, body } = await get({ url: `${origin}/robots.txt`, organisationId, limits: LIMITS, signal });
      if (status >= 500) return { status };
      return { text: status < 300 ? Buffer.from(body).toString('utf8') : '' };
    } catch (error) {
      // A server that cannot be reached, or serves rubbish there, is spoken of when the page is fetched.
      if (error instanceof EgressError) return { text: '' };
      throw error;
    }
  }
}

const leftAlone = (why: string) => new EgressError('egress_denied', `${why} (setting WEB_ROBOTS).`);
