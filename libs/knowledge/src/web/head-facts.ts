/**
 * What a page says about itself and does not show: collected while its tags stream by.
 *
 * Titles, authors and dates; the data that scripts would draw the page from; and the traces of
 * walls (password fields, frames, scripts).
 */
import type { TagObserver } from '../parsers/html-tree';

/** Kept of the scripts of one page, in characters. */
const MAX_SCRIPTS = 3_000_000;
const MAX_META = 500;
const DATA_TYPES = /^application\/(?:ld\+json|json)$|^application\/[\w.-]+\+json$/i;
const STATE =
  /(?:window(?:\.|\[["'])|self\.|var\s+|globalThis\.)?(?:__[A-Z][A-Z0-9_]{0,60}__|__[a-z]\w{0,60}State__|initialState|initialData)(?:["']\])?\s*=\s*/;

export interface HeadFacts {
  /** By name or property, in lower case; the first of each. */
  readonly meta: ReadonlyMap<string, string>;
  readonly links: ReadonlyMap<string, string>;
  readonly title: string;
  readonly language?: string;
  /** JSON, not yet parsed. */
  readonly linkedData: readonly string[];
  readonly states: readonly string[];
  readonly scripts: number;
  readonly hasPassword: boolean;
  readonly frames: readonly string[];
  readonly times: readonly string[];
  /** The text of `noscript` elements. */
  readonly noscript: string;
  /** A mount point of a script framework that has nothing in it. */
  readonly hasMountPoint: boolean;
}

export class HeadFactsCollector implements TagObserver, HeadFacts {
  readonly meta = new Map<string, string>();
  readonly links = new Map<string, string>();
  readonly linkedData: string[] = [];
  readonly states: string[] = [];
  readonly frames: string[] = [];
  readonly times: string[] = [];
  title = '';
  language?: string;
  scripts = 0;
  hasPassword = false;
  noscript = '';
  hasMountPoint = false;

  /** What the text that comes now is kept as. */
  private taking: 'title' | 'ld' | 'data' | 'script' | 'noscript' | undefined;
  private taken: string[] = [];
  private size = 0;

  open(tag: string, attributes: Readonly<Record<string, string>>): void {
    const id = attributes.id;
    if (
      id !== undefined &&
      /^(?:root|app|__next|__nuxt|svelte|gatsby|___gatsby|q-app|main-app|react-root)$/i.test(id)
    ) {
      this.hasMountPoint = true;
    }
    if (attributes.itemprop !== undefined) this.item(attributes);
    switch (tag) {
      case 'html':
        this.language ??= attributes.lang ?? attributes['xml:lang'];
        break;
      case 'title':
        if (this.title === '') this.take('title');
        break;
      case 'meta':
        this.keepMeta(attributes.property ?? attributes.name ?? attributes['http-equiv'], attributes.content);
        break;
      case 'link':
        for (const rel of (attributes.rel ?? '').toLowerCase().split(/\s+/)) {
          if (attributes.href !== undefined && !this.links.has(rel)) this.links.set(rel, attributes.href);
        }
        break;
      case 'a':
        if (/(?:^|\s)author(?:\s|$)/i.test(attributes.rel ?? '') && attributes.title)
          this.keepMeta('rel:author', attributes.title);
        break;
      case 'script':
        this.openScript(attributes);
        break;
      case 'noscript':
        this.take('noscript');
        break;
      case 'input':
        if (attributes.type?.toLowerCase() === 'password') this.hasPassword = true;
        break;
      case 'frame':
        if (attributes.src && this.frames.length < 20) this.frames.push(attributes.src);
        break;
      case 'time':
        if (attributes.datetime && this.times.length < 20) this.times.push(attributes.datetime);
    }
  }

  text(text: string): void {
    if (this.taking === undefined) return;
    this.size += text.length;
    if (this.size <= MAX_SCRIPTS) this.taken.push(text);
  }

  close(tag: string): void {
    if (this.taking === undefined || !/^(?:title|script|noscript)$/.test(tag)) return;
    const { taking } = this;
    const text = this.taken.join('');
    this.taking = undefined;
    this.taken = [];
    if (taking === 'title') this.title = text.replace(/\s+/g, ' ').trim().slice(0, 1000);
    else if (taking === 'noscript') this.noscript = (this.noscript + text).slice(0, 10_000);
    else if (taking === 'ld') this.linkedData.push(text);
    else if (taking === 'data') this.states.push(text);
    else if (taking === 'script') this.keepState(text);
  }

  private take(what: NonNullable<HeadFactsCollector['taking']>): void {
    this.taking = what;
    this.taken = [];
  }

  private openScript({ type = '', src }: Readonly<Record<string, string>>): void {
    this.scripts++;
    if (/ld\+json/i.test(type)) this.take('ld');
    else if (DATA_TYPES.test(type.trim())) this.take('data');
    else if (src === undefined) this.take('script');
  }

  /** `window.__STATE__ = {…};` and the like; what follows the value is not looked at. */
  private keepState(script: string): void {
    const found = STATE.exec(script);
    if (!found) return;
    const from = found.index + found[0].length;
    if (script[from] === '{' || script[from] === '[') this.states.push(wholeValue(script, from));
  }

  private keepMeta(name: string | undefined, content: string | undefined): void {
    const key = name?.toLowerCase().trim();
    const value = content?.replace(/\s+/g, ' ').trim();
    if (!key || !value || this.meta.has(key) || this.meta.size >= MAX_META) return;
    this.meta.set(key, value.slice(0, 2000));
  }

  private item({ itemprop, content, datetime }: Readonly<Record<string, string>>): void {
    for (const name of itemprop!.split(/\s+/)) this.keepMeta(`item:${name}`, content ?? datetime);
  }
}

/** From an opening bracket to the one that closes it. */
function wholeValue(script: string, from: number): string {
  let depth = 0;
  for (let at = from; at < script.length; at++) {
    const character = script[at];
    if (character === '"') {
      for (at++; at < script.length && script[at] !== '"'; at++) if (script[at] === '\\') at++;
    } else if (character === '{' || character === '[') depth++;
    else if ((character === '}' || character === ']') && --depth === 0) return script.slice(from, at + 1);
  }
  return '';
}
