/**
 * How long the packets of a server may be, looked at before the driver reads them: it keeps a packet until it is whole,
 * and looks for the end of a greeting of many megabytes for seconds, in which nobody else is answered.
 */
const HEADER = 4;
/** Greeting, answers to the password: some hundred bytes each. */
const MAX_BEFORE_LOGIN = 64 * 1024;
/** What goes on in another packet has this length; no row of ours is that long. */
const GOES_ON = 0xffffff;

export class PacketGate {
  private readonly head = Buffer.alloc(HEADER);
  private filled = 0;
  /** Bytes of the packet that are yet to come. */
  private rest = 0;
  private total = 0;
  private isIn = false;

  /** The server has let us in: from here on it may send rows. */
  loggedIn(): void {
    this.isIn = true;
  }

  /** Whether the driver may read it. */
  passes(chunk: Buffer): boolean {
    this.total += chunk.length;
    if (!this.isIn && this.total > MAX_BEFORE_LOGIN) return false;
    for (let at = 0; at < chunk.length;) {
      const skipped = Math.min(this.rest, chunk.length - at);
      this.rest -= skipped;
      at += skipped;
      const copied = Math.min(HEADER - this.filled, chunk.length - at);
      chunk.copy(this.head, this.filled, at, at + copied);
      this.filled += copied;
      at += copied;
      if (this.filled < HEADER) break;
      this.filled = 0;
      this.rest = this.head.readUIntLE(0, 3);
      if (this.rest >= (this.isIn ? GOES_ON : MAX_BEFORE_LOGIN)) return false;
    }
    return true;
  }
}
