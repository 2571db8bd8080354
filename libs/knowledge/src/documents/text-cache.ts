import type { DocumentText } from './document-text';

/** What an entry costs besides its text. */
const OVERHEAD = 200;

interface Entry {
  readonly organisation: string;
  readonly said: DocumentText;
  readonly bytes: number;
}

/**
 * Texts that were read lately, by organisation and content. The ones not asked for longest go first: those of an
 * organisation that has filled its share, then anybody's.
 */
export class TextCache {
  private readonly entries = new Map<string, Entry>();
  private readonly held = new Map<string, number>();
  private bytes = 0;

  constructor(
    private readonly maxBytes: number,
    private readonly share: number,
  ) {}

  get(organisation: string, key: string): DocumentText | undefined {
    const full = `${organisation} ${key}`;
    const entry = this.entries.get(full);
    if (!entry) return undefined;
    this.entries.delete(full);
    this.entries.set(full, entry);
    return entry.said;
  }

  /** A text over the share is not kept at all. */
  set(organisation: string, key: string, said: DocumentText): void {
    // A string takes two bytes a character as soon as one of them is not Latin-1.
    const bytes = said.text.length * 2 + OVERHEAD;
    if (bytes > this.share) return;
    const full = `${organisation} ${key}`;
    this.drop(full);
    this.makeRoom(bytes, organisation);
    this.entries.set(full, { organisation, said, bytes });
    this.count(organisation, bytes);
  }

  private makeRoom(bytes: number, organisation: string): void {
    for (const [key, entry] of this.entries) {
      const ownIsFull = (this.held.get(organisation) ?? 0) + bytes > this.share;
      if (!ownIsFull && this.bytes + bytes <= this.maxBytes) return;
      if (!ownIsFull || entry.organisation === organisation) this.drop(key);
    }
  }

  private drop(key: string): void {
    const entry = this.entries.get(key);
    if (!entry) return;
    this.entries.delete(key);
    this.count(entry.organisation, -entry.bytes);
  }

  private count(organisation: string, bytes: number): void {
    this.bytes += bytes;
    const held = (this.held.get(organisation) ?? 0) + bytes;
    if (held > 0) this.held.set(organisation, held);
    else this.held.delete(organisation);
  }
}
