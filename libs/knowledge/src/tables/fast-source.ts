/**
 * A delimited file as DuckDB's own reader takes it: UTF-8, and cut off where totals and notes begin. What is cut off is
 * put back, and what is copied goes.
 */
import { appendFileSync, closeSync, ftruncateSync, openSync, readSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TextFile } from './text-file';

/** They would be taken off of each value, which no other reader does. */
const CONTROLS = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/;

export class FastSource {
  private cut: Buffer | undefined;

  private constructor(
    readonly path: string,
    private readonly isCopy: boolean,
  ) {}

  /** @returns undefined for a text with control characters, or one in memory. */
  static of(text: TextFile): FastSource | undefined {
    if (text.path === undefined) return undefined;
    if (text.isClean) return new FastSource(text.path, false);
    const copy = join(dirname(text.path), 'utf8.csv');
    if (inUtf8(text, copy)) return new FastSource(copy, true);
    rmSync(copy, { force: true });
    return undefined;
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

/** @returns whether the text could be copied as it is. */
function inUtf8(text: TextFile, path: string): boolean {
  const file = openSync(path, 'w');
  try {
    for (const piece of text.pieces()) {
      if (CONTROLS.test(piece)) return false;
      writeSync(file, piece);
    }
    return true;
  } finally {
    closeSync(file);
  }
}
