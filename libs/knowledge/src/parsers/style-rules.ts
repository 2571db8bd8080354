/**
 * What a page's own style rules hide from people (SEC-146).
 *
 * Read as a wide screen without scripts would: rules in `@media` that hold there count, those for paper or telephones
 * do not, variables are put in. What is hidden until a click or until a script has run is there to be read: a rule by
 * where an element stands is not believed where another one shows the same again.
 */
import { hidesByStyle } from './html-tree';

/** An element as a rule looks at it, without what is in it. */
export class StyledElement {
  private names: ReadonlySet<string> | undefined;
  private found: Map<Step, boolean> | undefined;

  constructor(
    readonly tag: string,
    readonly attributes: Readonly<Record<string, string>>,
  ) {}

  /** Parted once: an element may have ten thousand of them, and be asked for one by every rule. */
  get classes(): ReadonlySet<string> {
    return (this.names ??= new Set(this.attributes.class?.split(/\s+/).filter(Boolean)));
  }

  /** Whether a step of a rule, and all above it, was found here or around it: the same for all that is inside. */
  get stands(): Map<Step, boolean> {
    return (this.found ??= new Map());
  }
}

/** A compound of a selector: `p.note[lang=en]`. Without any part it is `*`. */
interface Compound {
  readonly tag?: string;
  readonly id?: string;
  readonly classes: readonly string[];
  readonly attributes: readonly (readonly [name: string, value?: string])[];
}

/** `near` means the parent, else any ancestor. */
interface Step {
  readonly compound: Compound;
  readonly near: boolean;
}

interface HidingRule {
  readonly last: Compound;
  /** From the inside out. */
  readonly above: readonly Step[];
}

/** The window that rules of `@media` are asked about, in px. */
const SCREEN = { width: 1280, height: 800 };
const MAX_RULES = 20_000;
const MAX_RULES_OF_NAME = 20;
const MAX_DECLARATIONS = 2000;
const MAX_SELECTOR = 300;
const MAX_STEPS = 6;
/**
 * Looks at ancestors for one page. An honest one, of hundreds of thousands of elements, has some for each of its elements.
 * After that, what a rule hides somewhere is taken to be hidden there.
 */
const MAX_LOOKS = 3_000_000;
/** Classes that scripts put on, or take off, when they have run. */
const STATES = /^(?:no-?js|js|no-?script|is-?loading|loading|preload|fouc|wf-loading|js-.*|has-js|scripting-.*)$/i;
/** Never left out as a whole by their name alone. */
const WHOLE_PAGE = /^(?:html|body|main|article)$/;

export class StyleRules {
  private readonly variables = new Map<string, string | undefined>();
  /** By the last of the names that an element must have: `.class`, `#id`, `tag` or `*`. */
  private readonly rules = new Map<string, HidingRule[]>();
  private looks = 0;

  /** @param styles the text of all `style` elements so far. */
  constructor(styles: string) {
    const all = [...rulesThatHold(withoutComments(styles))];
    for (const { declarations } of all) this.keepVariables(declarations);
    const shown = this.shownAgain(all);
    for (const { selectors, declarations } of all) {
      if (!hidesByStyle(this.filledIn(declarations))) continue;
      for (const text of selectors.split(',')) {
        const rule = selector(text);
        if (rule && !isToggled(rule, shown)) this.keep(rule);
      }
    }
  }

  /**
   * Whether an element is hidden by a rule, or by its own style where that has variables. One that could not be looked
   * at is: text that nobody sees is not let through for its mere amount.
   *
   * @param path the elements that are open, from the outside in; it is the last of them.
   */
  hide(path: readonly StyledElement[]): boolean {
    const element = path.at(-1)!;
    const { tag, attributes, classes } = element;
    const { style, id } = attributes;
    if (style?.includes('var(') && hidesByStyle(this.filledIn(style))) return true;
    if (this.rules.size === 0) return false;
    const keys = [...[...classes].map((name) => `.${name}`), tag, '*'];
    if (id !== undefined) keys.push(`#${id}`);
    return keys.some((key) =>
      this.rules
        .get(key)
        ?.some(({ last, above }) => matches(last, element) && this.standsIn(above, path, 0, path.length - 1)),
    );
  }

  private standsIn(above: HidingRule['above'], path: readonly StyledElement[], step: number, below: number): boolean {
    const wanted = above[step];
    if (!wanted) return true;
    if (wanted.near) return below > 0 && this.standsAt(above, path, step, below - 1);
    let stands = false;
    let at = below - 1;
    for (; at >= 0; at--) {
      const known = path[at]!.stands.get(wanted);
      stands = known ?? this.standsAt(above, path, step, at);
      if (this.looks > MAX_LOOKS) return true;
      if (stands || known !== undefined) break;
    }
    for (let inside = below - 1; inside >= Math.max(at, 0); inside--) path[inside]!.stands.set(wanted, stands);
    return stands;
  }

  private standsAt(above: HidingRule['above'], path: readonly StyledElement[], step: number, at: number): boolean {
    if (++this.looks > MAX_LOOKS) return true;
    return matches(above[step]!.compound, path[at]!) && this.standsIn(above, path, step + 1, at);
  }

  private keep(rule: HidingRule): void {
    const { id, classes, tag } = rule.last;
    const key = id !== undefined ? `#${id}` : classes.length > 0 ? `.${classes.at(-1)}` : (tag ?? '*');
    const known = this.rules.get(key) ?? [];
    if (known.length < MAX_RULES_OF_NAME) this.rules.set(key, [...known, rule]);
  }

  /** A variable that is given several values is one of a theme, and nobody knows which. */
  private keepVariables(declarations: string): void {
    for (const [, name, value] of declarations.matchAll(/(?:^|[;\s])(--[\w-]{1,60})\s*:\s*([^;]{1,200})/g)) {
      const plain = value!.replace(/!\s*important/i, '').trim();
      const isOther = this.variables.has(name!) && this.variables.get(name!) !== plain;
      this.variables.set(name!, isOther ? undefined : plain);
    }
  }

  private filledIn(style: string): string {
    let filled = style;
    // A variable may hold another; a circle of them ends here.
    for (let round = 0; round < 4 && filled.includes('var('); round++) {
      filled = filled.replace(/var\(\s*(--[\w-]{1,60})\s*(?:,([^()]{0,100}))?\)/g, (_, name: string, otherwise = '') =>
        this.variables.has(name) ? (this.variables.get(name) ?? '') : (otherwise as string).trim(),
      );
      if (filled.length > MAX_DECLARATIONS * 4) return style;
    }
    return filled;
  }

  /** What rules show, by the names of the element, with how much they ask of it at most. */
  private shownAgain(all: readonly Rule[]): ReadonlyMap<string, number> {
    const shown = new Map<string, number>();
    for (const { selectors, declarations } of all) {
      if (!SHOWS.test(this.filledIn(declarations))) continue;
      for (const text of selectors.split(',')) {
        const asks = (text.match(/[.#:[]|(?:^|[\s>+~])[a-z]/gi) ?? []).length;
        const last =
          text
            .trim()
            .split(/[\s>+~]+/)
            .at(-1) ?? '';
        const tag = /^[a-z][\w-]*/i.exec(last)?.[0].toLowerCase();
        const names = [...(last.match(/[.#][\w-]+/g) ?? []), ...(tag === undefined ? [] : [tag])];
        for (const name of names) shown.set(name, Math.max(shown.get(name) ?? 0, asks));
      }
    }
    return shown;
  }
}

const SHOWS =
  /(?:^|[;\s])(?:display\s*:\s*(?!none)[a-z]|visibility\s*:\s*visible|opacity\s*:\s*(?:1|0?\.[1-9])|(?:max-)?height\s*:\s*(?:auto|[1-9]|none)|content-visibility\s*:\s*visible)/i;

/** Only rules by where an element stands, and by its tag alone: what one name hides is hidden everywhere. */
function isToggled({ last, above }: HidingRule, shown: ReadonlyMap<string, number>): boolean {
  const named = [...last.classes.map((name) => `.${name}`), ...(last.id === undefined ? [] : [`#${last.id}`])];
  if (above.length === 0 && isNamed(last)) return false;
  const asks = [last, ...above.map(({ compound }) => compound)].reduce(
    (sum, { tag, id, classes, attributes }) =>
      sum + classes.length + attributes.length + (tag === undefined ? 0 : 1) + (id === undefined ? 0 : 1),
    0,
  );
  return (named.length > 0 ? named : [last.tag ?? '*']).some((name) => (shown.get(name) ?? 0) >= asks);
}

function matches(wanted: Compound, element: StyledElement): boolean {
  const { tag, attributes } = element;
  if (wanted.tag !== undefined && wanted.tag !== tag) return false;
  if (wanted.id !== undefined && wanted.id !== attributes.id) return false;
  if (!wanted.classes.every((name) => element.classes.has(name))) return false;
  return wanted.attributes.every(
    ([name, value]) => Object.hasOwn(attributes, name) && (value === undefined || attributes[name] === value),
  );
}

const ATTRIBUTE = /\[\s*([\w-]{1,40})\s*(?:=\s*(?:"([^"]{0,100})"|'([^']{0,100})'|([\w-]{1,100}))\s*)?\]/g;
const COMPOUND = /^(\*|[a-z][\w-]{0,30})?((?:[.#][\w-]{1,100}){0,8})$/i;

/** @returns undefined for what is not looked through: pseudo-classes, siblings, states. */
function selector(text: string): HidingRule | undefined {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > MAX_SELECTOR || /[+~:]/.test(trimmed)) return undefined;
  const compounds: { compound: Compound; near: boolean }[] = [];
  for (const part of trimmed.replace(/\s*>\s*/g, ' >').split(/\s+/)) {
    const compound = compoundOf(part.replace(/^>/, ''));
    if (!compound || compound.classes.some((name) => STATES.test(name))) return undefined;
    compounds.push({ compound, near: part.startsWith('>') });
  }
  if (compounds.length > MAX_STEPS) return undefined;
  const { compound: last } = compounds.at(-1)!;
  if (
    !isNamed(last) &&
    (last.tag === undefined || WHOLE_PAGE.test(last.tag)) &&
    !compounds.slice(0, -1).some(({ compound }) => isNamed(compound))
  ) {
    return undefined;
  }
  // The sign that stands before a compound says how it stands to the one outside of it.
  const above = compounds.slice(0, -1).map(({ compound }, at) => ({ compound, near: compounds[at + 1]!.near }));
  return { last, above: above.reverse() };
}

const isNamed = ({ id, classes, attributes }: Compound): boolean =>
  id !== undefined || classes.length > 0 || attributes.length > 0;

function compoundOf(text: string): Compound | undefined {
  const attributes: [string, string?][] = [];
  const rest = text.replace(ATTRIBUTE, (_, name: string, ...values: (string | undefined)[]) => {
    attributes.push([name.toLowerCase(), values.slice(0, 3).find((value) => value !== undefined)]);
    return '';
  });
  const parsed = COMPOUND.exec(rest);
  if (!parsed) return undefined;
  const [, tag, marks = ''] = parsed;
  const names = marks.match(/[.#][\w-]+/g) ?? [];
  const id = names.find((name) => name.startsWith('#'))?.slice(1);
  const classes = names.filter((name) => name.startsWith('.')).map((name) => name.slice(1));
  return {
    ...(tag !== undefined && tag !== '*' && { tag: tag.toLowerCase() }),
    ...(id !== undefined && { id }),
    classes,
    attributes,
  };
}

interface Rule {
  readonly selectors: string;
  readonly declarations: string;
}

/** The rules of a sheet that hold on the screen, those inside of at-rules too. One pass, whatever is nested in what. */
function* rulesThatHold(styles: string): Generator<Rule> {
  /** Of each block that is open: whether what is in it holds. */
  const open: boolean[] = [];
  let from = 0;
  let count = 0;
  for (const { index } of styles.matchAll(/[{};]/g)) {
    const sign = styles[index];
    const text = styles.slice(from, index);
    if (sign === '{') {
      const holds = open.at(-1) ?? true;
      const trimmed = text.trim();
      if (trimmed.startsWith('@')) {
        open.push(holds && blockHolds(trimmed));
        from = index + 1;
        continue;
      }
      const block = holds && trimmed !== '' ? styles.slice(index + 1, index + 1 + MAX_DECLARATIONS) : '';
      const end = block.search(/[{}]/);
      const declarations = block.slice(0, Math.max(0, end));
      if (end !== -1 && block[end] === '}') {
        yield { selectors: trimmed.slice(0, MAX_SELECTOR * 10), declarations };
        if (++count === MAX_RULES) return;
      }
      // The block of the rule itself; its end is the next sign of that kind.
      open.push(false);
    } else if (sign === '}') open.pop();
    from = index + 1;
  }
}

/** `@media screen and (min-width: 40em)`, `@supports`, `@layer`. */
function blockHolds(rule: string): boolean {
  if (/^@(?:supports|layer)\b/i.test(rule)) return !/^@supports\s+not\b/i.test(rule);
  if (!/^@media\b/i.test(rule) || rule.length > 500) return false;
  return rule
    .slice('@media'.length)
    .toLowerCase()
    .split(',')
    .some((query) => query.split(/\band\b/).every((part) => mediaHolds(part.trim())));
}

function mediaHolds(part: string): boolean {
  if (/^(?:only\s+)?(?:screen|all)$/.test(part)) return true;
  const [, bound, side, digits, unit] =
    /^\(\s*(min|max)-(width|height)\s*:\s*([\d.]{1,8})\s*(px|em|rem)\s*\)$/.exec(part) ?? [];
  if (bound === undefined) return false;
  const wanted = Number(digits) * (unit === 'px' ? 1 : 16);
  const is = SCREEN[side as keyof typeof SCREEN];
  return bound === 'min' ? is >= wanted : is <= wanted;
}

/** By hand: a pattern would look for the end of every comment that has none. */
function withoutComments(styles: string): string {
  const kept: string[] = [];
  let at = 0;
  for (let open = styles.indexOf('/*'); open !== -1; open = styles.indexOf('/*', at)) {
    kept.push(styles.slice(at, open));
    const close = styles.indexOf('*/', open + 2);
    if (close === -1) return kept.join('');
    at = close + 2;
  }
  return kept.join('') + styles.slice(at);
}
