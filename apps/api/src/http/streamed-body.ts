import type { FastifyReply } from 'fastify';

const LAST_CHUNK = '0\r\n\r\n';

/**
 * The body of a response that is sent in pieces, each with one write to the socket.
 *
 * Node writes a chunk as four pieces of its own (length, line end, text, line end), gathers them until the next tick and
 * hands the system a list, which costs half as much again as one write of one string. So the frame of
 * `transfer-encoding: chunked` is put around the text here; whether there is to be one stays Node's decision.
 */
export class StreamedBody {
  private readonly isChunked: boolean;

  /** @param response whose status and headers are said; they leave now, and nobody else may write or end it from here on. */
  constructor(private readonly response: FastifyReply['raw']) {
    response.flushHeaders();
    this.isChunked = response.chunkedEncoding;
    response.chunkedEncoding = false;
  }

  /** @returns whether more may follow at once; otherwise the response emits `drain`. */
  write(text: string): boolean {
    const bytes = Buffer.byteLength(text);
    return this.response.write(this.framed(text, bytes), encodingOf(text, bytes));
  }

  end(text: string): void {
    const bytes = Buffer.byteLength(text);
    const last = this.isChunked ? LAST_CHUNK : '';
    this.response.end(bytes === 0 ? last : this.framed(text, bytes) + last, encodingOf(text, bytes));
  }

  private framed(text: string, bytes: number): string {
    return this.isChunked ? `${bytes.toString(16)}\r\n${text}\r\n` : text;
  }
}

/** Text of nothing but ASCII is the same bytes in both, and Latin-1 needs no conversion. */
const encodingOf = (text: string, bytes: number) => (bytes === text.length ? 'latin1' : 'utf8');
