/**
 * Thinking that a model server leaves in the text, `<think>…</think>`, told apart from what is said.
 *
 * Only the beginning of an answer is looked at, and what follows directly on such a block: a tag further on, or in
 * code, is what the model says. The outcome is the same however the text is cut into chunks.
 */

const MARKS = [
  ['<think>', '</think>'],
  ['[THINK]', '[/THINK]'],
  ['<seed:think>', '</seed:think>'],
  ['◁think▷', '◁/think▷'],
] as const;
const OPENING = MARKS.map(([open]) => open);
const CLOSING = MARKS.map(([, close]) => close);

/** Characters of an unfinished thought that are kept, in case there is nothing else. */
const MAX_KEPT = 1024 * 1024;
/** White space at the beginning, waiting for a tag. */
const MAX_WAITING = 1000;

export interface ThinkTagsOptions {
  readonly say: (text: string) => void;
  readonly think: (thinking: string) => void;
  /** Whether the answer begins inside a block, because the chat template has opened it. */
  readonly isOpen?: boolean;
}

export class ThinkTags {
  private state: 'before' | 'inside' | 'text';
  /** Not yet told: what may be a tag, and the white space beside one. */
  private held = '';
  /** The tags that end the block. */
  private closing: readonly string[] = CLOSING;
  /** Whether nothing of the block has come yet. */
  private isFresh = true;
  private isAfterBlock = false;
  private thought = '';

  constructor(private readonly options: ThinkTagsOptions) {
    this.state = options.isOpen ? 'inside' : 'before';
  }

  /** Whether all that may still come is text. */
  get isOver(): boolean {
    return this.state === 'text';
  }

  take(text: string): void {
    this.held += text;
    for (let goesOn = true; goesOn;) goesOn = this.step();
  }

  /** Something else comes now: what is held back began nothing. */
  settle(): void {
    if (this.state === 'inside') this.tellThought(this.held.trimEnd());
    else this.tellText(this.isAfterBlock ? this.held.trimStart() : this.held);
    this.held = '';
  }

  /**
   * @param isAll whether the model has ended by itself and made no call. A thought without an end is then told as
   *   text too: a model that forgot the tag has its answer in there.
   */
  end(isAll: boolean): void {
    const wasInside = this.state === 'inside';
    this.settle();
    if (wasInside && isAll && this.thought.length < MAX_KEPT) this.tellText(this.thought);
  }

  private step(): boolean {
    if (this.state === 'before') return this.before();
    if (this.state === 'inside') return this.inside();
    this.tellText(this.held);
    this.held = '';
    return false;
  }

  private before(): boolean {
    const rest = this.held.trimStart();
    const mark = MARKS.find(([open]) => rest.startsWith(open));
    if (mark) {
      this.state = 'inside';
      this.closing = [mark[1]];
      this.isFresh = true;
      this.thought = '';
      this.held = rest.slice(mark[0].length);
      return true;
    }
    if (this.held.length < MAX_WAITING && OPENING.some((open) => open.startsWith(rest))) return false;
    this.held = this.isAfterBlock ? rest : this.held;
    this.state = 'text';
    return true;
  }

  private inside(): boolean {
    if (this.isFresh) {
      this.held = this.held.trimStart();
      // Some models repeat the tag that the template has written.
      const again = this.thought === '' && OPENING.find((open) => this.held.startsWith(open));
      if (again) this.held = this.held.slice(again.length).trimStart();
      else if (OPENING.some((open) => open.startsWith(this.held))) return false;
      if (this.held === '') return false;
      this.isFresh = false;
    }
    const close = this.findClosing();
    if (close) {
      this.tellThought(this.held.slice(0, close.at).trimEnd());
      this.held = this.held.slice(close.at + close.mark.length);
      this.state = 'before';
      this.isAfterBlock = true;
      return true;
    }
    const sure = this.sureOfThought();
    this.tellThought(this.held.slice(0, sure));
    this.held = this.held.slice(sure);
    return false;
  }

  private findClosing(): { readonly at: number; readonly mark: string } | undefined {
    for (const mark of this.closing) {
      let at = this.held.indexOf(mark);
      // In back-ticks the model speaks of the tag.
      while (at >= 0 && (at > 0 ? this.held : this.thought).at(at - 1) === '`') at = this.held.indexOf(mark, at + 1);
      if (at >= 0) return { at, mark };
    }
    return undefined;
  }

  /** How much of what is held is certainly neither a tag nor the white space before one. */
  private sureOfThought(): number {
    let sure = this.held.length;
    for (const mark of this.closing) {
      for (let length = Math.min(mark.length - 1, this.held.length); length > 0; length--) {
        if (!this.held.endsWith(mark.slice(0, length))) continue;
        sure = Math.min(sure, this.held.length - length);
        break;
      }
    }
    return this.held.slice(0, sure).trimEnd().length;
  }

  private tellThought(thinking: string): void {
    if (thinking === '') return;
    if (this.thought.length < MAX_KEPT) this.thought += thinking;
    this.options.think(thinking);
  }

  private tellText(text: string): void {
    if (text !== '') this.options.say(text);
  }
}
