/** The body of an answer from outside, under our own count: on the wire, after decoding, and one against the other. */
import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { EgressError } from './egress-error';
import { WholeBody, type Spool, type SpooledFile } from './spool';

const MiB = 1024 * 1024;
const MAX_ENCODINGS = 2;
/** A page may shrink well, but not like this; a small one may. */
const MAX_RATIO = 100;
const RATIO_FROM = MiB;

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

export interface ReadBody {
  readonly bytes: Uint8Array;
  /** Where it was written, if it was. */
  readonly file?: SpooledFile;
}

/** @throws EgressError `egress_limit`, and whatever breaks the stream. The stream is gone afterwards in any case. */
export async function readBody(
  body: Readable,
  { encoding, length }: { readonly encoding?: string; readonly length?: string },
  limits: BodyLimits,
  spool?: Spool,
): Promise<ReadBody> {
  const whole = new WholeBody(spool);
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
    let size = 0;
    for await (const part of decoders.length > 0 ? decoded(counted(body, count), decoders) : body) {
      if (decoders.length === 0) count(part as Buffer);
      size += (part as Buffer).length;
      if (size > maxDecodedBytes && cut) {
        await whole.add(part as Buffer);
        break;
      }
      if (size > maxDecodedBytes) throw tooLarge(maxDecodedBytes, 'when unpacked');
      if (decoders.length > 0 && size > RATIO_FROM && size > wire * MAX_RATIO) {
        throw new EgressError('egress_limit', `the answer unpacks to more than ${MAX_RATIO} times its size.`);
      }
      const written = whole.add(part as Buffer);
      if (written) await written;
    }
    return { bytes: whole.bytes.subarray(0, maxDecodedBytes), file: whole.spooled };
  } finally {
    discard(body);
    await whole.close();
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
