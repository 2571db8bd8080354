/** The body of an answer from outside, under our own count: on the wire, after decoding, and one against the other. */
import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { EgressError } from './egress-error';

const MiB = 1024 * 1024;
const MAX_ENCODINGS = 2;
/** A page may shrink well, but not like this; a small one may. */
const MAX_RATIO = 100;
const RATIO_FROM = MiB;
const FIRST_SPACE = 64 * 1024;

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

export interface BodyLimits {
  readonly maxWireBytes: number;
  readonly maxDecodedBytes: number;
  /** The setting that an error names. */
  readonly setting: string;
  /** What unpacks to more is no error, but cut there. */
  readonly cut?: boolean;
}

/** @throws EgressError `egress_limit`, and whatever breaks the stream. The stream is gone afterwards in any case. */
export async function readBody(
  body: Readable,
  { encoding, length }: { readonly encoding?: string; readonly length?: string },
  limits: BodyLimits,
): Promise<Uint8Array> {
  try {
    const { maxWireBytes, maxDecodedBytes, setting, cut = false } = limits;
    const tooLarge = (most: number, how: string) =>
      new EgressError('egress_limit', `the answer has more than ${most / MiB} MiB ${how} (setting ${setting}).`);
    if (Number(length) > maxWireBytes && !cut) throw tooLarge(maxWireBytes, 'on the wire');
    const decoders = decodersOf(encoding);
    let wire = 0;
    const count = (part: Buffer) => {
      wire += part.length;
      if (wire > maxWireBytes) throw tooLarge(maxWireBytes, 'on the wire');
    };
    const whole = new Whole();
    let size = 0;
    for await (const part of decoders.length > 0 ? decoded(counted(body, count), decoders) : body) {
      if (decoders.length === 0) count(part as Buffer);
      size += (part as Buffer).length;
      if (size > maxDecodedBytes && cut) {
        whole.add(part as Buffer);
        break;
      }
      if (size > maxDecodedBytes) throw tooLarge(maxDecodedBytes, 'when unpacked');
      if (decoders.length > 0 && size > RATIO_FROM && size > wire * MAX_RATIO) {
        throw new EgressError('egress_limit', `the answer unpacks to more than ${MAX_RATIO} times its size.`);
      }
      whole.add(part as Buffer);
    }
    return whole.bytes.subarray(0, maxDecodedBytes);
  } finally {
    discard(body);
  }
}

/**
 * The parts of a body, copied: a part of one byte may be a view of all that came with it (the extension of a chunk has
 * any length and counts for nothing), and many of them cost more than what they hold.
 */
class Whole {
  private space = Buffer.allocUnsafe(FIRST_SPACE);
  private size = 0;

  add(part: Buffer): void {
    const size = this.size + part.length;
    if (size > this.space.length) {
      const larger = Buffer.allocUnsafe(Math.max(size, this.space.length * 2));
      this.space.copy(larger, 0, 0, this.size);
      this.space = larger;
    }
    part.copy(this.space, this.size);
    this.size = size;
  }

  get bytes(): Buffer {
    return this.space.subarray(0, this.size);
  }
}

/** Closes the connection of a body that nobody reads on. */
export function discard(body: Readable): void {
  body.on('error', () => undefined).destroy();
}

function decodersOf(encoding = ''): Transform[] {
  const names = encoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  if (names.length > MAX_ENCODINGS) {
    throw new EgressError(
      'egress_limit',
      `the answer is packed ${names.length} times, at most ${MAX_ENCODINGS} are undone.`,
    );
  }
  const unknown = names.find((name) => !(name in DECODERS));
  if (unknown !== undefined) {
    throw new EgressError('unsupported_file', 'the answer is packed in a way that was not asked for.');
  }
  return names.reverse().map((name) => DECODERS[name]!());
}

async function* counted(body: Readable, count: (part: Buffer) => void): AsyncGenerator<Buffer> {
  for await (const part of body) {
    count(part as Buffer);
    yield part as Buffer;
  }
}

/** Errors of any stage come out of the last one. */
function decoded(body: AsyncIterable<Buffer>, decoders: readonly Transform[]): AsyncIterable<unknown> {
  const last = decoders.at(-1)!;
  pipeline([body, ...decoders] as unknown as [NodeJS.ReadableStream, ...Transform[]], (error) => {
    if (error && !last.destroyed) last.destroy(error);
  });
  return last;
}
