/**
 * What may pass over the socket of a session, whatever the driver would do.
 *
 * The driver asks for encryption and, where the server says no, goes on and sends the password in the clear. Here
 * nothing but the handshake is written before the channel is secure, where it has to be (SEC-54). And a server that
 * never stops sending is not read for ever.
 */
import type { Socket } from 'node:net';

/** The packet that the handshake, that of TLS included, travels in. */
const PRELOGIN = 0x12;
const LOOK_MS = 20;

export type CloseReason = 'insecure' | 'too_much' | 'garbled';

export class SocketGuard {
  private isSecure = false;
  private maxBytes = Infinity;
  private from = 0;
  private readonly watch: NodeJS.Timeout;
  /** Why the socket was closed by us. */
  reason?: CloseReason;

  constructor(
    private readonly socket: Socket,
    mustBeSecure: boolean,
  ) {
    if (mustBeSecure) this.holdBack();
    socket.on('error', () => undefined);
    this.watch = setInterval(() => {
      if (socket.bytesRead - this.from > this.maxBytes) this.close('too_much');
    }, LOOK_MS);
    socket.once('close', () => clearInterval(this.watch));
  }

  /** The channel is encrypted, by a certificate that was checked. */
  secured(): void {
    this.isSecure = true;
  }

  /** Reads so many bytes from here on, and not more. */
  allow(bytes: number): void {
    this.from = this.socket.bytesRead;
    this.maxBytes = bytes;
  }

  close(reason?: CloseReason): void {
    this.reason ??= reason;
    clearInterval(this.watch);
    // With an error, or the driver waits for its time to be up.
    this.socket.destroy(new Error(reason ?? 'closed'));
  }

  private holdBack(): void {
    const write = this.socket.write.bind(this.socket) as (...args: unknown[]) => boolean;
    this.socket.write = (chunk: Uint8Array | string, ...rest: unknown[]): boolean => {
      if (this.isSecure || (typeof chunk !== 'string' && chunk[0] === PRELOGIN)) return write(chunk, ...rest);
      this.close('insecure');
      return false;
    };
  }
}
