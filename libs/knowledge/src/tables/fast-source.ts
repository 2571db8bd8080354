/**
 * A delimited file as DuckDB's own reader takes it: UTF-8, and cut off where totals and notes begin. What is cut off is
 * put back, and what is copied goes.
 */
import { appendFileSync, closeSync, ftruncateSync, openSync, readSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { lineFeedsOf } from './line-feeds';
import type { CleanText, TextFile } from './text-file';

export class FastSource {
  private cut: Buffer | undefined;

  private constructor(
    readonly path: string,
    private readonly seen: CleanText,
    private readonly isCopy: boolean,
  ) {}

  /**
   * @returns undefined for a text in memory, or one with control characters: they would have to be taken off of each
   *   value, which DuckDB does not do.
   */
  static of(text: TextFile): FastSource | undefined {
    if (text.path === undefined) return undefined;
    if (text.clean) return new FastSource(text.path, text.clean, false);
    const copy = join(dirname(text.path), 'utf8.csv');
    const seen = inUtf8(text, copy);
    if (seen) return new FastSource(copy, seen, true);
    rmSync(copy, { force: true });
    return undefined;
  }

  /** Whether there are line ends of more than a line feed. */
  get hasCarriages(): boolean {
    return this.seen.hasCarriages;
  }

  /** Lines that are not cut off, the last one included if nothing ends it. */
  get lines(): number {
    const { lineFeeds } = this.seen;
    return lineFeeds - (this.cut ? (lineFeedsOf(this.cut) ?? 0) : 0) + (this.endsOpen ? 1 : 0);
  }

  get size(): number {
    return statSync(this.path).size;
  }

  bytes(from: number, length: number): Buffer {
    const file = openSync(this.path, 'r');
    try {
      const bytes = Buffer.alloc(length);
      return bytes.subarray(0, readSync(file, bytes, 0, length, from));
    } finally {
      closeSync(file);
    }
  }

  text(from: number, length: number): string {
    return this.bytes(from, length).toString('utf8');
  }

  private get endsOpen(): boolean {
    const { size } = this;
    return size > 0 && this.bytes(size - 1, 1)[0] !== 0x0a;
  }

  /** Leaves off the end, from a byte on. */
  cutAt(at: number): void {
    const { size } = this;
    this.cut = this.bytes(at, size - at);
    const file = openSync(this.path, 'r+');
    try {
      ftruncateSync(file, at);
    } finally {
      closeSync(file);
    }
  }

  close(): void {
    if (this.isCopy) rmSync(this.path, { force: true });
    else if (this.cut) appendFileSync(this.path, this.cut);
    this.cut = undefined;
  }
}

/** Copies a text as it is. @returns undefined where it has control characters. */
function inUtf8(text: TextFile, path: string): CleanText | undefined {
  const file = openSync(path, 'w');
  try {
    let lineFeeds = 0;
    let hasCarriages = false;
    for (const piece of text.pieces()) {
      const bytes = Buffer.from(piece);
      const counted = lineFeedsOf(bytes);
      if (counted === undefined) return undefined;
      lineFeeds += counted;
      hasCarriages ||= bytes.includes('\r');
      writeSync(file, bytes);
    }
    return { lineFeeds, hasCarriages };
  } finally {
    closeSync(file);
  }
}
