/** What sites ask of programs that read them: robots.txt, kept for a while (RFC 9309). */
import { EgressError, type WebClient, type WebLimits } from '@app/platform';
import type { PageReader } from './page-reader';

const KEPT_MS = 60 * 60 * 1000;
const KEPT_FILES = 500;
/** Of a longer file the beginning is obeyed (RFC 9309 §2.5), so that no site loses its say by saying much. */
const LIMITS: WebLimits = {
  maxWireBytes: 1024 * 1024,
  maxDecodedBytes: 512 * 1024,
  cut: true,
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

  private async rulesOf(
    url: URL,
    organisationId: string,
    get: WebClient['fetch'],
    signal: AbortSignal,
  ): Promise<Rules> {
    const { origin } = url;
    const key = JSON.stringify([organisationId, origin]);
    const known = this.kept.get(key);
    if (known && known.until > Date.now()) {
      try {
        return await known.rules;
      } catch (error) {
        if (error instanceof EgressError) throw error;
        signal.throwIfAborted();
        // Whoever asked for it has left. That is no answer to anybody else.
        if (this.kept.get(key) === known) this.kept.delete(key);
        return this.rulesOf(url, organisationId, get, signal);
      }
    }
    const rules = this.load(origin, organisationId, get, signal);
    this.kept.set(key, { until: Date.now() + KEPT_MS, rules });
    // What came to nothing is asked again the next time.
    const forget = () => this.kept.get(key)?.rules === rules && this.kept.delete(key);
    rules.then((found) => 'status' in found && forget(), forget);
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
      // A server that cannot be reached, or serves rubbish there, is spoken of when the page is fetched. One that does
      // not answer in time may still say no (RFC 9309 §2.3.1.4).
      if (error instanceof EgressError && error.token !== 'tool_timeout') return { text: '' };
      throw error;
    }
  }
}

const leftAlone = (why: string) => new EgressError('egress_denied', `${why} (setting WEB_ROBOTS).`);
