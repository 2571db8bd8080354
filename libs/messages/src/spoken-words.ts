/** Pieces are joined when there are so many. */
const JOINED_AT = 64;

/**
 * A text that is put together from many small pieces.
 *
 * Not by `+=`: that keeps every piece, and with a piece the whole event that it was cut from, alive until the text is
 * read, which is ten times the memory of the text, copied by the garbage collector again and again.
 */
export class SpokenWords {
  private joined = '';
  private readonly pieces: string[] = [];

  add(piece: string): void {
    if (this.pieces.push(piece) >= JOINED_AT) this.join();
  }

  /** All of it; what is added from now on begins anew. */
  take(): string {
    this.join();
    const { joined } = this;
    this.joined = '';
    return joined;
  }

  private join(): void {
    this.joined += this.pieces.join('');
    this.pieces.length = 0;
  }
}
