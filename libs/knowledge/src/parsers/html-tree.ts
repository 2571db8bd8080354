/**
 * HTML as a tree that is safe to walk: depth and number of nodes are counted while the tags stream in, and nothing is
 * built beyond them (SEC-78). Scripts, styles and what a page hides never enter it.
 *
 * Formatting elements (`b`, `font`, `span` …) add no node, because their text belongs to the block around them; that
 * also keeps pages of the 1990s shallow, which open a thousand `<font>` and close none.
 */
import { Parser } from 'htmlparser2';
import { UnsafeFileError } from './parser-errors';

export const MAX_DEPTH = 512;
export const MAX_NODES = 500_000;

export interface HtmlElement {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly parent?: HtmlElement;
  readonly children: HtmlNode[];
}

export interface HtmlText {
  readonly text: string;
  /** Whether it can be clicked on: navigation is mostly links. */
  readonly linked: boolean;
}

export type HtmlNode = HtmlElement | HtmlText;

export const isElement = (node: HtmlNode): node is HtmlElement => 'tag' in node;

const SKIPPED = new Set(
  'script style template noscript svg canvas iframe object embed applet audio video map select textarea datalist noembed'.split(
    ' ',
  ),
);
const FORMATTING = new Set(
  (
    'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr output q rp rt ruby s samp ' +
    'small span strike strong sub sup time tt u var'
  ).split(' '),
);
const KEPT_ATTRIBUTES = ['id', 'class', 'role', 'colspan', 'rowspan', 'start', 'lang', 'alt', 'border'];
/** Formatting left open is no danger to the tree, but the tokenizer keeps a list of it. */
const MAX_OPEN_FORMATTING = 4096;

/**
 * @returns the root, whose children are the top-level elements.
 * @throws UnsafeFileError
 */
export function readHtmlTree(html: string): HtmlElement {
  const builder = new TreeBuilder();
  const xhtml = /^\s*(<\?xml|<!doctype[^>]{0,200}xhtml)|<html[^>]{0,500}xmlns=/i.test(html.slice(0, 4096));
  const parser = new Parser(
    {
      onopentag: (tag, attributes) => builder.open(tag, attributes),
      onclosetag: (tag) => builder.close(tag),
      ontext: (text) => builder.text(text),
    },
    { decodeEntities: true, recognizeSelfClosing: xhtml, lowerCaseTags: true },
  );
  parser.write(html);
  parser.end();
  return builder.root;
}

class TreeBuilder {
  readonly root: HtmlElement = { tag: '#root', attributes: {}, children: [] };
  private current = this.root;
  private depth = 0;
  private nodes = 0;
  /** How many elements are open inside the one that is left out; 0 outside of one. */
  private skipping = 0;
  /** The formatting elements that are open, innermost last. */
  private readonly formatting: { readonly hidden: boolean; readonly linked: boolean }[] = [];
  private links = 0;
  private hidden = 0;

  open(tag: string, attributes: Record<string, string>): void {
    this.count();
    if (tag === 'wbr') return;
    if (this.skipping > 0 || SKIPPED.has(tag) || (!FORMATTING.has(tag) && isHidden(attributes))) {
      if (isVoid(tag)) return;
      this.goDeeper();
      this.skipping++;
      return;
    }
    if (FORMATTING.has(tag)) this.openFormatting(tag, attributes);
    else this.openElement(tag, attributes);
  }

  close(tag: string): void {
    if (isVoid(tag)) return;
    if (this.skipping > 0) {
      this.skipping--;
      this.depth--;
    } else if (FORMATTING.has(tag)) {
      const open = this.formatting.pop();
      if (open?.linked) this.links--;
      if (open?.hidden) this.hidden--;
    } else if (this.current.parent) {
      this.current = this.current.parent;
      this.depth--;
    }
  }

  text(text: string): void {
    if (this.skipping > 0 || this.hidden > 0 || text === '') return;
    const last = this.current.children.at(-1);
    const linked = this.links > 0;
    if (last && !isElement(last) && last.linked === linked) {
      this.current.children[this.current.children.length - 1] = { text: last.text + text, linked };
      return;
    }
    this.count();
    this.current.children.push({ text, linked });
  }

  private openFormatting(tag: string, attributes: Record<string, string>): void {
    const hidden = isHidden(attributes);
    const linked = tag === 'a' && 'href' in attributes;
    if (this.formatting.length >= MAX_OPEN_FORMATTING) throw tooDeep();
    this.formatting.push({ hidden, linked });
    if (linked) this.links++;
    if (hidden) this.hidden++;
  }

  private openElement(tag: string, attributes: Record<string, string>): void {
    const kept: Record<string, string> = {};
    for (const name of KEPT_ATTRIBUTES) if (name in attributes) kept[name] = attributes[name];
    const element: HtmlElement = { tag, attributes: kept, parent: this.current, children: [] };
    this.current.children.push(element);
    if (isVoid(tag)) return;
    this.goDeeper();
    this.current = element;
  }

  private goDeeper(): void {
    if (++this.depth > MAX_DEPTH) throw tooDeep();
  }

  private count(): void {
    if (++this.nodes > MAX_NODES) {
      throw new UnsafeFileError(`the HTML has more than ${MAX_NODES} elements and texts. Split it into several files.`);
    }
  }
}

const tooDeep = () =>
  new UnsafeFileError(`the HTML nests elements more than ${MAX_DEPTH} deep. Pages written for reading stay far below.`);

const VOID = new Set('area base basefont br col frame hr img input link meta param source track wbr'.split(' '));
const isVoid = (tag: string) => VOID.has(tag);

function isHidden({ hidden, style, 'aria-hidden': ariaHidden }: Record<string, string>): boolean {
  if (hidden !== undefined && hidden !== 'until-found') return true;
  if (ariaHidden === 'true') return true;
  return style !== undefined && /(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(style);
}
