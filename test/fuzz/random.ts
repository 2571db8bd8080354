/** Choices that a seed decides: the same seed makes the same case, on every machine. */
export class Random {
  private state: number;

  constructor(seed: number) {
    // Neighbouring seeds must not begin alike.
    this.state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0;
    for (let turn = 0; turn < 3; turn++) this.next();
  }

  /** 0 or more, below 1 (mulberry32). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** From 0 on, below `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)]!;
  }

  list<Item>(atMost: number, item: () => Item): Item[] {
    return Array.from({ length: this.below(atMost + 1) }, item);
  }

  /** The text in pieces, cut anywhere, also between the halves of a pair. */
  pieces(text: string, longest: number): string[] {
    const pieces: string[] = [];
    for (let at = 0; at < text.length;) {
      const length = 1 + this.below(longest);
      pieces.push(text.slice(at, at + length));
      at += length;
    }
    return pieces;
  }

  /** The bytes in pieces, cut anywhere, also within a character or a frame. */
  cut(bytes: Buffer): Buffer[] {
    if (this.chance(0.2)) return [bytes];
    const longest = Math.max(this.pick([1, 7, 40, 400, 4000]), Math.ceil(bytes.length / 100));
    const pieces: Buffer[] = [];
    for (let at = 0; at < bytes.length;) {
      const length = 1 + this.below(longest);
      pieces.push(bytes.subarray(at, at + length));
      at += length;
    }
    return pieces;
  }
}
