/**
 * The body of a request that nobody has read yet.
 *
 * Fastify would read it before Nest's guards run, so anybody could make the server take in 64 MB and be told only
 * then that a key is missing. This is read by the pipe instead: after the guard, up to the limit of the route.
 */
import { InvalidRequestError, OverloadedError, TooLargeError } from '@app/contract';
import type { FastifyRequest } from 'fastify';
import { HttpError } from './http-error';
import { parseJson } from './parse-json';

export interface BodyLimit {
  readonly bytes: number;
  /** The environment variable that raises it; absent where none does. */
  readonly setting?: string;
}

/** All bodies that are being read at one moment, in bytes: callers together must not be able to fill the memory. */
const MAX_BYTES_IN_FLIGHT = 1024 ** 3;
let bytesInFlight = 0;

export class UnreadBody {
  constructor(
    private readonly request: FastifyRequest,
    private readonly limit: BodyLimit,
  ) {}

  /**
   * @throws TooLargeError naming the limit and its setting; InvalidRequestError for what is not JSON;
   *   HttpError 415 for another content type or a compressed body (SEC-114, SEC-128).
   */
  async json(): Promise<unknown> {
    this.checkHeaders();
    const bytes = await this.read(this.request.raw);
    if (bytes.length === 0) throw new InvalidRequestError('The body is empty: send a JSON object.');
    return parseJson(bytes);
  }

  private checkHeaders(): void {
    const { 'content-type': type, 'content-encoding': encoding, 'content-length': length } = this.request.headers;
    if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
      throw new HttpError(
        415,
        'invalid_request_error',
        'Compressed bodies are not accepted: leave out Content-Encoding.',
      );
    }
    if (!isJson(type)) {
      throw new HttpError(
        415,
        'invalid_request_error',
        'The body must be sent as Content-Type: application/json, in UTF-8.',
      );
    }
    if (Number(length) > this.limit.bytes) throw tooLarge(this.limit);
  }

  private read(raw: FastifyRequest['raw']): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let size = 0;
    return new Promise<Buffer>((resolve, reject) => {
      const onData = (chunk: Buffer) => {
        size += chunk.length;
        bytesInFlight += chunk.length;
        if (size > this.limit.bytes) return settle(() => reject(tooLarge(this.limit)));
        if (bytesInFlight > MAX_BYTES_IN_FLIGHT) return settle(() => reject(tooMany()));
        chunks.push(chunk);
      };
      const onEnd = () => settle(() => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size)));
      const onBroken = () => settle(() => reject(new HttpError(400, 'invalid_request_error', 'The body was cut off.')));
      const settle = (answer: () => void) => {
        bytesInFlight -= size;
        raw.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken);
        answer();
      };
      raw.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
    });
  }
}

/** Whether there is a body of which not everything has arrived. */
export function isStillSending({ raw, headers }: FastifyRequest): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = headers;
  return !raw.complete && (coding !== undefined || length !== '0');
}

const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?(utf-?8|us-ascii)"?\s*)?;?\s*$/i;
const isJson = (type: string | undefined): boolean => type === 'application/json' || JSON_TYPE.test(type ?? '');

function tooLarge({ bytes, setting }: BodyLimit): TooLargeError {
  const most = `${bytes / 1024 ** 2} MiB`;
  return new TooLargeError(
    `limit_exceeded: the body is larger than ${most}.` + (setting ? ` The operator may raise ${setting}.` : ''),
  );
}

const tooMany = () =>
  new OverloadedError('The server is taking in too many large bodies at once; try again shortly.', { retryAfter: 2 });
