import type { ChatPart, TakeAtOnce } from '../chat-model';

/** Parts that the answer has said and nobody has taken yet. */
export class WaitingParts {
  private readonly parts: ChatPart[] = [];

  constructor(private readonly takeAtOnce: TakeAtOnce | undefined) {}

  get length(): number {
    return this.parts.length;
  }

  push(part: ChatPart): void {
    this.parts.push(part);
  }

  /** The next of at least one. Words that have arrived together leave together: every part costs the whole way to the caller. */
  take(): ChatPart {
    const first = this.parts.shift()!;
    let next = this.parts[0];
    if (first.type !== 'text' || next?.type !== 'text') return first;
    let { text } = first;
    let joined = 0;
    for (; next?.type === 'text'; next = this.parts[joined]) {
      text += next.text;
      joined++;
    }
    this.parts.splice(0, joined);
    return { type: 'text', text };
  }

  /** Gives out what is taken at once, up to the first part that is not. To be called while somebody waits for the next. */
  offer(): void {
    if (!this.takeAtOnce) return;
    while (this.parts.length > 0) {
      const part = this.take();
      if (this.takeAtOnce(part)) continue;
      this.parts.unshift(part);
      return;
    }
  }
}
