/**
 * HTML as a tree that is safe to walk: depth and number of nodes are counted while the tags stream in, and nothing is
 * built beyond them (SEC-78). Scripts, styles and what a page hides never enter it.
 *
 * Formatting elements (`b`, `font`, `span` …) add no node, because their text belongs to the block around them; that
 * also keeps pages of the 1990s shallow, which open a thousand `<font>` and close none.
 */
import { Parser } from 'htmlparser2';
import { UnsafeFileError } from './parser-errors';
import { raisedFigures } from './raised-figures';

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
  /** Where it leads, if the reader asked for links. */
  readonly href?: string;
  /** Crossed out: it stands there, and holds no longer. */
  readonly struck?: boolean;
}

export type HtmlNode = HtmlElement | HtmlText;

export const isElement = (node: HtmlNode): node is HtmlElement => 'tag' in node;

const SKIPPED = new Set(
  (
    'script style template noscript svg canvas iframe object embed applet audio video map select textarea datalist ' +
    'noembed annotation annotation-xml'
  ).split(' '),
);
const FORMATTING = new Set(
  (
    'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr output q rp rt ruby s samp ' +
    'small span strike strong sub sup time tt u var'
  ).split(' '),
);
const KEPT_ATTRIBUTES = ['id', 'class', 'role', 'colspan', 'rowspan', 'start', 'lang', 'alt', 'border'];
/** In between these there is nothing but other elements; the white space there is no text. */
const STRUCTURE = new Set('table thead tbody tfoot tr colgroup ul ol dl select'.split(' '));
/** A part of a table that begins ends another one that was left open, as the standard has it. */
const ENDS: Readonly<Record<string, RegExp>> = {
  td: /^t[dh]$/,
  th: /^t[dh]$/,
  tr: /^tr$/,
  thead: /^(?:thead|tbody|tfoot)$/,
  tbody: /^(?:thead|tbody|tfoot)$/,
  tfoot: /^(?:thead|tbody|tfoot)$/,
};
const STRUCK = new Set(['s', 'strike', 'del']);
const SCRIPTS = new Set(['sup', 'sub']);
/** Formatting left open is no danger to the tree, but the tokenizer keeps a list of it. */
const MAX_OPEN_FORMATTING = 4096;

export interface TreeOptions {
  /** Gives the address of a link as it is to be kept; without it no addresses are. */
  readonly linkOf?: (href: string) => string | undefined;
  /** Whether an element is hidden by more than its own attributes say: by a style sheet of the page. */
  readonly isHidden?: (tag: string, attributes: Readonly<Record<string, string>>) => boolean;
  /** Sees every tag and text of the page, also of those parts that do not enter the tree. */
  readonly observer?: TagObserver;
}

export interface TagObserver {
  open(tag: string, attributes: Readonly<Record<string, string>>): void;
  close(tag: string): void;
  text(text: string): void;
}

/**
 * @returns the root, whose children are the top-level elements.
 * @throws UnsafeFileError
 */
export function readHtmlTree(html: string, options: TreeOptions = {}): HtmlElement {
  const builder = new TreeBuilder(options);
  const { observer } = options;
  const xhtml = /^\s*(<\?xml|<!doctype[^>]{0,200}xhtml)|<html[^>]{0,500}xmlns=/i.test(html.slice(0, 4096));
  const parser = new Parser(
    {
      onopentag: (tag, attributes) => {
        observer?.open(tag, attributes);
        builder.open(tag, attributes);
      },
      onclosetag: (tag) => {
        observer?.close(tag);
        builder.close(tag);
      },
      ontext: (text) => {
        observer?.text(text);
        builder.text(text);
      },
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
  private readonly formatting: { readonly tag: string; readonly hidden: boolean; readonly linked: boolean }[] = [];
  /** The elements that the tokenizer still has open, outermost first, and whether they have ended here. */
  private readonly opened: { readonly element: HtmlElement; ended: boolean }[] = [];
  private readonly scripts: string[] = [];
  private links = 0;
  private struck = 0;
  private hidden = 0;
  private href: string | undefined;

  constructor(private readonly options: TreeOptions) {}

  open(tag: string, attributes: Record<string, string>): void {
    this.count();
    if (tag === 'wbr') return;
    if (this.skipping > 0 || SKIPPED.has(tag) || (!FORMATTING.has(tag) && this.hides(tag, attributes))) {
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
      if (open?.linked) {
        this.links--;
        this.href = undefined;
      }
      if (open?.hidden) this.hidden--;
      if (open && STRUCK.has(open.tag)) this.struck--;
      if (open && SCRIPTS.has(open.tag)) this.scripts.pop();
    } else {
      const closed = this.opened.pop();
      if (closed && !closed.ended) this.leave(closed.element);
    }
  }

  private leave(element: HtmlElement): void {
    this.current = element.parent as HtmlElement;
    this.depth--;
  }

  /** Ends what is open inside of `element`, and itself. */
  private end(element: HtmlElement): void {
    for (let at = this.opened.length - 1; at >= 0; at--) {
      const open = this.opened[at];
      if (!open.ended) this.leave(open.element);
      open.ended = true;
      if (open.element === element) return;
    }
  }

  text(written: string): void {
    if (this.skipping > 0 || this.hidden > 0 || written === '') return;
    if (STRUCTURE.has(this.current.tag) && written.trim() === '') return;
    const last = this.current.children.at(-1);
    const linked = this.links > 0;
    const { href } = this;
    const struck = this.struck > 0 || undefined;
    const link = { linked, ...(href !== undefined && { href }), ...(struck && { struck }) };
    const text = this.raised(written, last);
    if (last && !isElement(last) && last.linked === linked && last.href === href && last.struck === struck) {
      this.current.children[this.current.children.length - 1] = { text: last.text + text, ...link };
      return;
    }
    this.count();
    this.current.children.push({ text, ...link });
  }

  private raised(text: string, last: HtmlNode | undefined): string {
    const script = this.scripts.at(-1);
    if (!script) return text;
    const before = last && !isElement(last) ? last.text : '';
    return raisedFigures(text, script === 'sup' ? 'above' : 'below', before);
  }

  private hides(tag: string, attributes: Record<string, string>): boolean {
    return isHidden(attributes) || this.options.isHidden?.(tag, attributes) === true;
  }

  private openFormatting(tag: string, attributes: Record<string, string>): void {
    const hidden = this.hides(tag, attributes);
    const linked = tag === 'a' && 'href' in attributes;
    if (this.formatting.length >= MAX_OPEN_FORMATTING) throw tooDeep();
    this.formatting.push({ tag, hidden, linked });
    if (STRUCK.has(tag)) this.struck++;
    if (SCRIPTS.has(tag)) this.scripts.push(tag);
    if (linked) {
      this.links++;
      this.href = this.options.linkOf?.(attributes.href);
    }
    if (hidden) this.hidden++;
  }

  private openElement(tag: string, attributes: Record<string, string>): void {
    const ended = ENDS[tag] && this.openPart(ENDS[tag]);
    if (ended) this.end(ended);
    const kept: Record<string, string> = {};
    for (const name of KEPT_ATTRIBUTES) if (name in attributes) kept[name] = attributes[name];
    const element: HtmlElement = { tag, attributes: kept, parent: this.current, children: [] };
    this.current.children.push(element);
    if (isVoid(tag)) return;
    this.goDeeper();
    this.opened.push({ element, ended: false });
    this.current = element;
  }

  /** The part of the innermost table that is open and matches. */
  private openPart(tags: RegExp): HtmlElement | undefined {
    for (let open: HtmlElement | undefined = this.current; open && open.tag !== 'table'; open = open.parent) {
      if (tags.test(open.tag)) return open;
    }
    return undefined;
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
  return style !== undefined && hidesByStyle(style);
}

const HIDES =
  /(?:^|[;\s{])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|font-size\s*:\s*(?:0(?:\.0+)?(?![.\d])|(?:0?\.\d+|1)(?:px|pt))|(?:left|top|right|text-indent|inset)\s*:\s*-\d{3,}|margin-(?:left|top)\s*:\s*-\d{4,}|(?:left|top)\s*:\s*(?:(?:[2-9]\d{3}|\d{5,})px|[1-9]\d{2,}v[wh])|clip\s*:\s*rect\(\s*(?:0|1px)|clip-path\s*:\s*inset\(\s*(?:50|100)%|content-visibility\s*:\s*hidden|transform\s*:\s*(?:scale[xy]?\(\s*0(?:\.0+)?\s*[,)]|translate(?:[xy]|3d)?\(\s*-\d{4,}px))/i;
/** Of one with data inside; a longer one is not looked through. */
const MAX_STYLE = 100_000;
/** A box without height or width shows nothing if it also cuts off what does not fit. */
const NO_ROOM = /(?:^|[;\s{])(?:max-)?(?:height|width)\s*:\s*0(?:\.0+)?(?:px|em|rem|%)?\s*(?:;|!|$)/i;
const CUTS_OFF = /overflow(?:-[xy])?\s*:\s*(?:hidden|clip)/i;
/** `rgba(0, 0, 0, 0)`, `hsl(0 0% 0% / 0%)`. */
const NO_COLOUR =
  /^(?:transparent$|(?:rgb|hsl)a?\((?:[^,()]{1,20},){3}\s*0(?:\.0+)?%?\s*\)|(?:rgb|hsl)a?\([^()/]{1,60}\/\s*0(?:\.0+)?%?\s*\)|#[\da-f]{3}0$|#[\da-f]{6}00$)/;
const TRANSPARENT = /(?:^|[;\s])opacity\s*:\s*0(?:\.0+)?(?![.\d])/i;
/** What comes into view as the reader scrolls begins transparent, too. */
const MOVES = /transform|transition|will-change|animation/i;
const COLOUR = /(?:^|[;\s])color\s*:\s*([^;!]{1,40})/i;
const BACKGROUND = /background(?:-color)?\s*:\s*([^;!]{1,40})/i;

/** Whether what is styled so is there to be read by machines only. */
export function hidesByStyle(given: string): boolean {
  if (given.length > MAX_STYLE) return false;
  const style = asMeant(given);
  if (HIDES.test(style) || ((TRANSPARENT.test(style) || hasNoRoom(style)) && !MOVES.test(style))) return true;
  const colour = COLOUR.exec(style)?.[1]?.trim().toLowerCase();
  return (
    colour !== undefined && (NO_COLOUR.test(colour) || colour === BACKGROUND.exec(style)?.[1]?.trim().toLowerCase())
  );
}

/** A box that keeps its proportions has its room from its padding. */
const hasNoRoom = (style: string): boolean => NO_ROOM.test(style) && CUTS_OFF.test(style) && !style.includes('padding');

/** Without comments and escapes, which serve to be read by browsers and nobody else. */
function asMeant(style: string): string {
  if (!style.includes('\\') && !style.includes('/*')) return style;
  const [first = '', ...parts] = style.split('/*');
  const plain = first + parts.map((part) => part.split('*/').slice(1).join('*/')).join('');
  return plain
    .replace(/\\(?:([\da-f]{1,6})\s?)?/gi, (_, code = '0') => String.fromCharCode(parseInt(code as string, 16)))
    .replaceAll('\0', '');
}
