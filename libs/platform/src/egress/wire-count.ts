import type { Socket } from 'node:net';
import { EgressError } from './egress-error';

const MiB = 1024 * 1024;
/** How often it is looked at what has come. */
const EVERY_MS = 100;
/** What may stand around the bytes of a body: headers, and the sizes of its chunks where these are small. */
const AROUND = MiB;

/**
 * What comes from a host, counted where it comes in (SEC-16).
 *
 * A body is counted by its own bytes, but what stands between its chunks has any length and is in none of them. One
 * request is at a host at a time, so whatever its connections have read since the request began belongs to it.
 */
export class WireCount {
  private readonly open = new Map<string, Set<Socket>>();

  follow(host: string, socket: Socket): void {
    const sockets = this.open.get(host) ?? new Set();
    this.open.set(host, sockets.add(socket));
    socket.once('close', () => {
      sockets.delete(socket);
      if (sockets.size === 0 && this.open.get(host) === sockets) this.open.delete(host);
    });
  }

  /**
   * Runs a request, whose signal is aborted when more comes than a body of `maxBytes` can need.
   *
   * @throws what the request throws.
   */
  async watch<T>(
    host: string,
    maxBytes: number,
    signal: AbortSignal,
    request: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const flooded = new AbortController();
    const before = this.readFrom(host);
    const timer = setInterval(() => {
      if (this.readFrom(host) - before <= 2 * maxBytes + AROUND) return;
      flooded.abort(new EgressError('egress_limit', 'the server sends far more than the page that it is asked for.'));
    }, EVERY_MS);
    try {
      return await request(AbortSignal.any([signal, flooded.signal]));
    } catch (error) {
      throw flooded.signal.aborted ? flooded.signal.reason : error;
    } finally {
      clearInterval(timer);
    }
  }

  private readFrom(host: string): number {
    let bytes = 0;
    for (const socket of this.open.get(host) ?? []) bytes += socket.bytesRead;
    return bytes;
  }
}
