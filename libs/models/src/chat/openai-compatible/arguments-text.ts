/**
 * The arguments of one call, put together from their pieces, and whether they are a whole JSON object yet.
 *
 * That is asked with every piece, also of the calls beside it. Each character is looked at once, and the text is parsed
 * once, when its last brace has closed: a model that leaves a brace out and speaks on must not hold up everybody else.
 */
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

export class ArgumentsText {
  text = '';
  private depth = 0;
  private inString = false;
  private escaped = false;
  /** `never`: whatever follows, this is no object. */
  private state: 'open' | 'closed' | 'whole' | 'never' = 'open';

  /** Some servers repeat all that came before in each piece; JSON that goes on never does. */
  append(piece: string): void {
    const before = this.text;
    const tellsApart = before.length > 1 || before === '{';
    if (tellsApart && piece.length >= before.length && piece.startsWith(before)) {
      this.text = piece;
      this.depth = 0;
      this.inString = this.escaped = false;
      this.state = 'open';
    } else this.text = before + piece;
    this.look(piece);
  }

  get isWhole(): boolean {
    if (this.state === 'closed') this.state = isJson(this.text) ? 'whole' : 'never';
    return this.state === 'whole';
  }

  private look(piece: string): void {
    for (let at = 0; at < piece.length && this.state !== 'never'; at++) {
      const code = piece.charCodeAt(at);
      if (this.inString) {
        if (this.escaped) this.escaped = false;
        else if (code === BACKSLASH) this.escaped = true;
        else if (code === QUOTE) this.inString = false;
      } else if (code > SPACE) this.lookOutside(code);
    }
  }

  private lookOutside(code: number): void {
    if (this.state !== 'open' || (this.depth === 0 && code !== OPENING_BRACE)) this.state = 'never';
    else if (code === QUOTE) this.inString = true;
    else if (code === OPENING_BRACE) this.depth++;
    else if (code === CLOSING_BRACE && --this.depth === 0) this.state = 'closed';
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
