import type { TagObserver } from './html-tree';
import { StyledElement, StyleRules } from './style-rules';

/** Kept of the style sheets of one page, in characters. */
const MAX_STYLES = 100_000;
/** A page has one or a few style sheets inside. */
const MAX_LOOKS = 16;

/**
 * The style sheets inside of a page while its tags stream by, and whether they hide the element that has come last.
 *
 * A rule in a style sheet comes before what it hides; those that do not are rare, and hide nothing here.
 */
export class PageStyles implements TagObserver {
  /** The elements that are open, from the outside in. */
  private readonly elements: StyledElement[] = [];
  /** Whether anything was hidden. */
  hasHidden = false;
  private styles = '';
  private inStyle = false;
  private known = -1;
  private looks = 0;
  private rules: StyleRules | undefined;

  /** @param next sees everything as well. */
  constructor(private readonly next?: TagObserver) {}

  /** For `readHtmlTree`. */
  readonly isHidden = (): boolean => {
    if (this.styles.length !== this.known && this.looks++ < MAX_LOOKS) {
      this.known = this.styles.length;
      this.rules = new StyleRules(this.styles);
    }
    const hides = this.rules?.hide(this.elements) === true;
    if (hides) this.hasHidden = true;
    return hides;
  };

  open(tag: string, attributes: Readonly<Record<string, string>>): void {
    this.elements.push(new StyledElement(tag, attributes));
    this.inStyle = tag === 'style';
    this.next?.open(tag, attributes);
  }

  close(tag: string): void {
    this.elements.pop();
    this.inStyle = false;
    this.next?.close(tag);
  }

  text(text: string): void {
    if (this.inStyle && this.styles.length < MAX_STYLES) this.styles = (this.styles + text).slice(0, MAX_STYLES);
    this.next?.text(text);
  }
}
