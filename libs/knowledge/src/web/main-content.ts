/**
 * Which part of a page of the open web is there to be read.
 *
 * A page that marks its content (`main`, `article`) is believed. In the others the way to the text is followed down
 * from the body: at each step to the part that holds most of the prose, and what stands beside that way is left out
 * where it is links, or calls itself something else than content. Talk about cookies goes first: it covers pages, and
 * is no part of any.
 */
import { find, findContent, type PageContent } from '../parsers/html-content';
import { isElement, type HtmlElement } from '../parsers/html-tree';

export interface MainContent extends PageContent {
  /** Letters of what is left of the page without talk about consent, wherever they stand. */
  readonly letters: number;
  /** What was left out because it asks for consent. */
  readonly consent: string;
}

const CONSENT_NAMES =
  /^(?:.*(?:cookie|consent|gdpr|ccpa|rgpd)[\w-]*(?:banner|bar|box|consent|notice|popup|pop-up|law|message|wall|modal|overlay|dialog|layer|container|prompt|manager|preferences|settings|alert|info|accept|disclaimer)[\w-]*|(?:aviso|banner|modal|capa|ley)-?(?:de-)?cookies?|(?:cookie)?consent(?:-.*)?|onetrust.*|ot-sdk.*|cybotcookiebot.*|didomi.*|qc-cmp.*|usercentrics.*|uc-.*banner.*|sp_message.*|truste.*|trustarc.*|cc-(?:window|banner|main).*|cmp-?(?:container|box|wrapper|modal).*|iubenda-cs.*|klaro.*|tarteaucitron.*|fc-consent-root|osano-cm.*|termly.*|borlabs.*|axeptio.*)$/i;
const CONSENT_TAGS = /^(?:amp-consent|amp-user-notification|cookie-.*|.*-cookie-banner|.*-consent)$/;
const CONSENT_WORDS = /\b(?:cookies?|consent|consentimiento|rgpd|gdpr|datenschutz|privacidad)\b/i;
const DIALOG_ROLES = /^(?:dialog|alertdialog)$/;
/** Of the open web; a document that is ingested may well have a part of this name. */
const BESIDE_NAMES =
  /^(?:(?:user-?)?comments?(?:-?(?:list|area|section|wrapper|container|form|thread))?|disqus.*|related(?:-?(?:posts?|articles?|content|links|stories|news|products))?|recommend(?:ed|ations?)(?:-.*)?|more-?(?:stories|articles|news|from.*)|most-?(?:read|popular|viewed)|trending.*|newsletter.*|subscri(?:be|ption).*|signup.*|promo(?:tion|s)?(?:-.*)?|sponsor(?:ed)?(?:-.*)?|ads?(?:-.*)?|advert.*|banner-?ads?|outbrain.*|taboola.*|social(?:-.*)?|shar(?:e|ing)(?:-.*)?|follow-?us|(?:left|right)-?(?:col(?:umn)?|rail|bar|nav)|widget(?:s|-area)?|teasers?|paywall.*|login-?(?:box|form|prompt)|back-?to-?top|print-?only|tooltip.*|popup.*|modal.*|lightbox.*)$/i;
const BESIDE_TAGS = /^(?:amp-sidebar|amp-ad|amp-embed|amp-social-share|ins)$/;
/** Elements that only hold others; inside the rest the way ends. */
const HOLDERS = /^(?:body|div|section|main|article|form|center|table|tbody|tr|td|span|[a-z]+-[\w-]+)$/;
/** Patterns are held against names; a longer one was made to keep them busy. */
const MAX_NAME = 100;
const LEAST_PROSE = 25;
const WAY_SHARE = 0.5;
const MOSTLY_LINKS = 0.5;
const LEAST_BESIDE = 40;
const SHORT_TEXTS = /^(?:p|pre|table|blockquote|figure|td|tr)$/;
/** A heading in a box of its own, or a short section of links under one, belongs to the text. */
const SHORT_SECTION = 200;
/** Below it a page is too short to judge its parts. */
const LEAST_PAGE = 300;

export function mainContent(root: HtmlElement): MainContent {
  const consent: string[] = [];
  withoutConsent(root, consent);
  const measures = new Map<HtmlElement, Measure>();
  measure(root, measures);
  const body = find(root, ({ tag }) => tag === 'body')[0] ?? root;
  const { letters } = measures.get(body)!;
  const content = findContent(root);
  const beside = (element: HtmlElement) => isBeside(element, measures.get(element)!, letters);
  const dropped = content.roots[0] === body ? besideTheWay(body, measures) : new Set<HtmlElement>();
  return {
    roots: content.roots,
    isChrome: (element) => dropped.has(element) || content.isChrome(element) || beside(element),
    letters,
    consent: consent.join('\n').slice(0, 10_000),
  };
}

interface Measure {
  readonly letters: number;
  readonly linked: number;
  /** Letters of texts that are long enough to be read, and not links. */
  readonly prose: number;
}

function measure(element: HtmlElement, measures: Map<HtmlElement, Measure>): Measure {
  const sum = { letters: 0, linked: 0, prose: 0 };
  for (const child of element.tag === 'head' ? [] : element.children) {
    if (isElement(child)) {
      const { letters, linked, prose } = measure(child, measures);
      sum.letters += letters;
      sum.linked += linked;
      sum.prose += prose;
      continue;
    }
    const letters = child.text.replace(/\s+/g, '').length;
    sum.letters += letters;
    if (child.linked) sum.linked += letters;
    else if (letters >= LEAST_PROSE || /^(?:td|th|li|dd|dt|pre)$/.test(element.tag)) sum.prose += letters;
  }
  measures.set(element, sum);
  return sum;
}

/** Takes what asks for consent out of the tree, and keeps what it says. */
function withoutConsent(element: HtmlElement, said: string[]): void {
  for (let at = element.children.length - 1; at >= 0; at--) {
    const child = element.children[at]!;
    if (!isElement(child)) continue;
    if (asksForConsent(child)) {
      said.push(allText(child).slice(0, 5000));
      element.children.splice(at, 1);
    } else withoutConsent(child, said);
  }
}

function asksForConsent(element: HtmlElement): boolean {
  const { tag, attributes } = element;
  if (tag === 'body' || tag === 'html' || tag === 'main' || tag === 'article') return false;
  if (CONSENT_TAGS.test(tag)) return true;
  if (namesOf(element).some((name) => CONSENT_NAMES.test(name))) return true;
  if (!DIALOG_ROLES.test(attributes.role ?? '') && tag !== 'dialog') return false;
  const text = allText(element);
  return text.length < 5000 && CONSENT_WORDS.test(text);
}

/** What stands beside the way from the body down to the text. */
function besideTheWay(body: HtmlElement, measures: Map<HtmlElement, Measure>): Set<HtmlElement> {
  const dropped = new Set<HtmlElement>();
  const proseOf = (element: HtmlElement) => measures.get(element)!.prose;
  if (proseOf(body) < LEAST_PAGE) return dropped;
  for (let at = body; HOLDERS.test(at.tag);) {
    const children = at.children.filter(isElement);
    const next = children.find((child) => HOLDERS.test(child.tag) && proseOf(child) >= proseOf(at) * WAY_SHARE);
    if (!next || (next.tag === 'table' && !arrangesPage(next))) break;
    for (const child of children) {
      if (child === next || /^(?:h[1-6]|hgroup|header)$/.test(child.tag)) continue;
      const { letters, linked, prose } = measures.get(child)!;
      const isLinks = letters > 0 && linked >= letters * MOSTLY_LINKS;
      const isShort =
        letters < LEAST_BESIDE && prose === 0 && find(child, ({ tag }) => SHORT_TEXTS.test(tag)).length === 0;
      if ((isLinks || isShort) && !(letters < SHORT_SECTION && holdsHeading(child))) dropped.add(child);
    }
    at = next;
  }
  return dropped;
}

const holdsHeading = (element: HtmlElement): boolean => find(element, ({ tag }) => /^h[12]$/.test(tag)).length > 0;

/** A table with a cell that holds blocks is the page of its time, not data. */
function arrangesPage(table: HtmlElement): boolean {
  if (find(table, ({ tag }) => tag === 'th').length > 0) return false;
  return find(table, ({ tag }) => /^(?:p|h[1-6]|ul|ol|pre|blockquote|div)$/.test(tag)).length > 0;
}

function isBeside(element: HtmlElement, { letters }: Measure, total: number): boolean {
  if (BESIDE_TAGS.test(element.tag)) return true;
  if (letters > total * 0.5) return false;
  return namesOf(element).some((name) => BESIDE_NAMES.test(name));
}

const namesOf = ({ attributes }: HtmlElement): string[] =>
  `${attributes.class ?? ''} ${attributes.id ?? ''}`
    .split(/\s+/)
    .filter((name) => name !== '' && name.length <= MAX_NAME);

function allText(element: HtmlElement): string {
  const parts: string[] = [];
  const gather = (inside: HtmlElement) => {
    for (const child of inside.children) {
      if (isElement(child)) gather(child);
      else parts.push(child.text);
    }
  };
  gather(element);
  return parts.join(' ').replace(/\s+/g, ' ').trim();
}
