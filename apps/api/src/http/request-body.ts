/**
 * The body of a request that nobody has read yet.
 *
 * Fastify would read it before Nest's guards run, so anybody could make the server take in 64 MB and be told only
 * then that a key is missing. This is read by the pipe instead: after the guard, up to the limit of the route.
 */
import { InvalidRequestError, TooLargeError } from '@app/contract';
import type { FastifyRequest } from 'fastify';
import type { Admission, BodyBudget } from './body-budget';
import { HttpError } from './http-error';
import { parseJson, parseLargeJson } from './parse-json';
import { SlowBody } from './slow-body';

export interface BodyLimit {
  readonly bytes: number;
  /** The environment variable that raises it; absent where none does. */
  readonly setting?: string;
  /** Whether what the body became stays in memory until the answer; otherwise it is small beside the body. */
  readonly kept?: boolean;
}

/** Who has not sent a whole body by then gives up its place in memory (SEC-126, SEC-127). */
const PROMPT_MS = 2000;

/** From here on parsing would keep others waiting. */
const LARGE = 1024 ** 2;

interface Arrived {
  bytes: Buffer;
  readonly isWhole: boolean;
}

const NOTHING = Buffer.alloc(0);

export class UnreadBody {
  private admission?: Admission;
  private answered = false;

  constructor(
    private readonly request: FastifyRequest,
    private readonly limit: BodyLimit,
    private readonly budget: BodyBudget,
    /** For what slow callers send. */
    private readonly folder: string,
  ) {}

  /**
   * Waits until there is room for the body.
   *
   * @throws TooLargeError naming the limit and its setting; OverloadedError where there is no room for too long;
   *   InvalidRequestError for what is not JSON; HttpError 415 for another content type or a compressed body (SEC-114,
   *   SEC-128).
   */
  async json(): Promise<unknown> {
    this.checkHeaders();
    const { raw } = this.request;
    const length = lengthOf(this.request);
    this.admission = this.budget.admitAtOnce(length) ?? (await this.budget.admit(length));
    try {
      // Whoever left while it waited has no use for an answer, and nobody else is told that there is nothing to read.
      if (raw.destroyed || this.answered) throw cutOff();
      const bytes = readAtOnce(raw, length) ?? (await this.read(raw, length, this.admission));
      const value = bytes.length > LARGE ? await parseLargeJson(bytes) : parsedJson(bytes);
      if (this.limit.kept) this.admission.parsed();
      else this.admission.end();
      return value;
    } catch (error) {
      this.admission.end();
      throw error;
    }
  }

  /** The request is answered, or its caller has left. */
  end(): void {
    this.answered = true;
    this.admission?.end();
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

  private async read(raw: FastifyRequest['raw'], length: number | undefined, admission: Admission): Promise<Buffer> {
    const arrived = await this.readPromptly(raw, length, admission);
    return arrived.isWhole ? arrived.bytes : this.readSlowly(raw, length, arrived);
  }

  /** Onto the disk, where nobody waits for its place. It gets one in memory again once it is whole. */
  private async readSlowly(raw: FastifyRequest['raw'], length: number | undefined, begun: Arrived): Promise<Buffer> {
    let size = begun.bytes.length;
    const place = this.budget.admitSlow(length ?? size);
    this.admission!.end();
    this.admission = place;
    const slow = await SlowBody.begin(this.folder);
    try {
      await slow.add(begun.bytes);
      // Whoever still holds what has begun holds nothing large.
      begun.bytes = NOTHING;
      for await (const chunk of raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (size > this.limit.bytes) throw tooLarge(this.limit);
        if (length === undefined) place.grow(chunk.length);
        await slow.add(chunk);
      }
      this.admission = await this.budget.admit(size);
      if (this.answered) throw cutOff();
      return await slow.whole();
    } catch (error) {
      // Who is still sending gets to read why only if somebody takes the rest.
      raw.resume();
      throw isBroken(error) ? cutOff() : error;
    } finally {
      place.end();
      await slow.end();
    }
  }

  /**
   * Into the place that its length asks for: joining chunks would take the memory of the body twice.
   *
   * @returns the beginning of it, where the rest did not come in time.
   */
  private readPromptly(raw: FastifyRequest['raw'], length: number | undefined, admission: Admission): Promise<Arrived> {
    const whole = length === undefined ? undefined : Buffer.allocUnsafe(length);
    const chunks: Buffer[] = [];
    let size = 0;
    return new Promise((resolve, reject) => {
      const onData = (chunk: Buffer) => {
        const at = size;
        size += chunk.length;
        if (size > this.limit.bytes) return settle(() => reject(tooLarge(this.limit)));
        if (whole) return void chunk.copy(whole, at);
        try {
          admission.grow(chunk.length);
        } catch (error) {
          return settle(() => reject(error as Error));
        }
        chunks.push(chunk);
      };
      const arrived = () => whole?.subarray(0, size) ?? Buffer.concat(chunks, size);
      const onEnd = () => settle(() => resolve({ bytes: arrived(), isWhole: true }));
      const onBroken = () => settle(() => reject(cutOff()));
      const onLate = () => {
        raw.pause();
        settle(() => resolve({ bytes: arrived(), isWhole: false }));
      };
      const late = setTimeout(onLate, PROMPT_MS);
      const settle = (answer: () => void) => {
        clearTimeout(late);
        raw.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken);
        answer();
      };
      raw.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
    });
  }
}

/** A small body has come with its headers, whole: nobody has to wait for it. */
function readAtOnce(raw: FastifyRequest['raw'], length: number | undefined): Buffer | undefined {
  const isThere = length !== undefined && length > 0 && raw.complete && raw.readableLength === length;
  return isThere ? (raw.read() as Buffer) : undefined;
}

function parsedJson(bytes: Buffer): unknown {
  if (bytes.length === 0) throw new InvalidRequestError('The body is empty: send a JSON object.');
  return parseJson(bytes);
}

/** As its header says; undefined where it comes in chunks. */
function lengthOf({ headers }: FastifyRequest): number | undefined {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : undefined;
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

/** A caller that has left in the middle. */
const isBroken = (error: unknown): boolean =>
  ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'].includes((error as NodeJS.ErrnoException).code ?? '');

const cutOff = () => new HttpError(400, 'invalid_request_error', 'The body was cut off.');
