/**
 * Which part of a page is its content: `main` or `article` where there is one that holds the text, else the body; and
 * which parts inside are there to get around (navigation, site header and footer, consent banners, tables of links).
 */
import { isElement, type HtmlElement, type HtmlNode } from './html-tree';

export interface TextMeasure {
  readonly letters: number;
  /** Letters inside links. */
  readonly linked: number;
}

export interface PageContent {
  readonly roots: readonly HtmlElement[];
  /** Whether an element is there to get around in the site, not to be read. */
  isChrome(element: HtmlElement): boolean;
}

const CHROME_ROLES = /^(navigation|banner|contentinfo|search|dialog|alertdialog|menu|menubar|toolbar)$/;
/** Names that mean chrome whatever is inside. */
const CHROME_NAMES =
  /^(nav(header|footer|bar|igation)?|docnav|breadcrumbs?|(skip|jump)-?(link|nav|to-content).*|.*cookie-?(banner|bar|consent|notice|popup|law|message).*|cookies?|(cookie)?consent.*|gdpr.*|site-?(header|footer|nav)|(page-?|global-?|main-?)(footer|nav)|edit-?(link|section)|mw-editsection|headerlink|social-?(links|share|media).*|share-?(buttons|links|bar).*|advert(isement)?s?|pagination|pager)$/;
/** Names that mean chrome if the inside is mostly links; a docbook `sidebar`, for one, is text to read. */
const CHROME_IF_LINKED =
  /^(.*(nav|menu|sidebar|toc|footer|header|links?|related|banner|tags?|index).*|title|top|bottom|prev.*|next.*)$/;
const MAIN_SHARE = 0.25;
const ARTICLE_SHARE = 0.5;
const MOSTLY_LINKS = 0.6;
/** A table of contents is left out, though it fills the page, if this much stands beside it. */
const MIN_LETTERS_BESIDE = 200;

export function findContent(root: HtmlElement): PageContent {
  const measures = new Map<HtmlElement, TextMeasure>();
  measure(root, measures);
  const body = find(root, ({ tag }) => tag === 'body')[0] ?? root;
  const total = measures.get(body)!.letters;
  const ofKind = lettersOfKinds(measures);
  const isChrome = (element: HtmlElement) => {
    if (!looksLikeChrome(element, measures.get(element)!, total)) return false;
    return isNamedChrome(element) || ofKind(element) <= total * 0.5;
  };

  const enough = (elements: HtmlElement[], share: number) =>
    elements.reduce((sum, element) => sum + measures.get(element)!.letters, 0) >= total * share && total > 0;
  const mains = find(body, ({ tag, attributes: { role } }) => tag === 'main' || role === 'main');
  const articles = find(body, ({ tag, attributes: { role } }) => tag === 'article' || role === 'article');
  if (mains.length > 0 && enough(mains, MAIN_SHARE)) return { roots: mains, isChrome };
  if (articles.length > 0 && enough(articles, ARTICLE_SHARE)) return { roots: articles, isChrome };
  return { roots: [body], isChrome };
}

/** The outermost elements that match, in document order. */
export function find(element: HtmlElement, matches: (element: HtmlElement) => boolean): HtmlElement[] {
  const found: HtmlElement[] = [];
  const look = (inside: HtmlElement) => {
    if (matches(inside)) found.push(inside);
    else for (const child of inside.children) if (isElement(child)) look(child);
  };
  look(element);
  return found;
}

function measure(element: HtmlElement, measures: Map<HtmlElement, TextMeasure>): TextMeasure {
  const sum = { letters: 0, linked: 0 };
  // What stands in the head is about the page, not in it.
  for (const child of element.tag === 'head' ? [] : element.children) {
    const { letters, linked } = isElement(child) ? measure(child, measures) : measureText(child);
    sum.letters += letters;
    sum.linked += linked;
  }
  measures.set(element, sum);
  return sum;
}

/** Letters of an element and its siblings of the same class: the parts of an index are one text, by its letters. */
function lettersOfKinds(measures: ReadonlyMap<HtmlElement, TextMeasure>): (element: HtmlElement) => number {
  const known = new Map<HtmlElement, Map<string, number>>();
  const kindOf = ({ tag, attributes }: HtmlElement) => `${tag}.${attributes.class}`;
  return (element) => {
    const { parent } = element;
    if (!parent || element.attributes.class === undefined) return 0;
    let kinds = known.get(parent);
    if (!kinds) {
      known.set(parent, (kinds = new Map()));
      for (const child of parent.children.filter(isElement)) {
        kinds.set(kindOf(child), (kinds.get(kindOf(child)) ?? 0) + measures.get(child)!.letters);
      }
    }
    return kinds.get(kindOf(element))!;
  };
}

/** Chrome whatever is inside, and however much it is. */
const isNamedChrome = (element: HtmlElement): boolean =>
  !/^(?:div|section|ul|ol|dl|table|li|p)$/.test(element.tag) ||
  CHROME_ROLES.test(element.attributes.role ?? '') ||
  namesOf(element).some((name) => name === 'toc' || CHROME_NAMES.test(name));

function measureText(node: HtmlNode): TextMeasure {
  if (isElement(node)) return { letters: 0, linked: 0 };
  const letters = node.text.replace(/\s+/g, '').length;
  return { letters, linked: node.linked ? letters : 0 };
}

function looksLikeChrome(element: HtmlElement, { letters, linked }: TextMeasure, total: number): boolean {
  const { tag, attributes } = element;
  const names = namesOf(element);
  const mostlyLinks = linked >= letters * MOSTLY_LINKS && letters > 0;
  if (mostlyLinks && names.includes('toc') && total - letters >= MIN_LETTERS_BESIDE) return true;
  // Whatever holds most of the text is the content, however it is called.
  if (letters > total * 0.5) return tag === 'nav';
  if (tag === 'nav' || tag === 'dialog' || CHROME_ROLES.test(attributes.role ?? '')) return true;
  if (tag === 'button') return !hasAncestor(element, /^(h[1-6]|summary)$/);
  const inContent = hasAncestor(element, /^(main|article|section|blockquote)$/);
  const isAside = tag === 'aside' || attributes.role === 'complementary';
  if ((tag === 'footer' || tag === 'header' || isAside) && !inContent) return true;
  if (isAside && mostlyLinks) return true;
  return names.some((name) => CHROME_NAMES.test(name) || (mostlyLinks && CHROME_IF_LINKED.test(name)));
}

const namesOf = ({ attributes }: HtmlElement): string[] =>
  `${attributes.class ?? ''} ${attributes.id ?? ''}`.toLowerCase().split(/\s+/).filter(Boolean);

function hasAncestor(element: HtmlElement, tags: RegExp): boolean {
  for (let above = element.parent; above; above = above.parent) if (tags.test(above.tag)) return true;
  return false;
}
