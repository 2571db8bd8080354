/** The part of the TDS protocol (MS-TDS) that a fake SQL Server speaks: packets, tokens, and values as bytes. */

export const PACKET = { batch: 1, rpc: 3, result: 4, attention: 6, login: 16, prelogin: 18 } as const;

export interface Packet {
  readonly type: number;
  readonly data: Buffer;
}

const HEADER = 8;
const MAX_DATA = 4000;

/** A message in packets, the last of which says so. */
export function packets(type: number, data: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at === 0 || at < data.length; at += MAX_DATA) {
    const part = data.subarray(at, at + MAX_DATA);
    const header = Buffer.from([type, at + MAX_DATA >= data.length ? 1 : 0, 0, 0, 0, 0, 1, 0]);
    header.writeUInt16BE(HEADER + part.length, 2);
    parts.push(header, part);
  }
  return Buffer.concat(parts);
}

/** Puts the packets of messages together again. */
export class PacketReader {
  private buffered = Buffer.alloc(0);
  private message: Buffer[] = [];

  read(chunk: Buffer): Packet[] {
    this.buffered = Buffer.concat([this.buffered, chunk]);
    const complete: Packet[] = [];
    while (this.buffered.length >= HEADER && this.buffered.length >= this.buffered.readUInt16BE(2)) {
      const length = this.buffered.readUInt16BE(2);
      const type = this.buffered[0]!;
      const isLast = (this.buffered[1]! & 1) === 1;
      this.message.push(this.buffered.subarray(HEADER, length));
      this.buffered = this.buffered.subarray(length);
      if (!isLast) continue;
      complete.push({ type, data: Buffer.concat(this.message) });
      this.message = [];
    }
    return complete;
  }
}

const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const u16 = (value: number) => Buffer.from([value & 0xff, value >> 8]);

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
}

const shortText = (text: string) => Buffer.concat([Buffer.from([text.length]), utf16(text)]);
const longText = (text: string) => Buffer.concat([u16(text.length), utf16(text)]);

/** `encryption`: 1 on, 2 not supported, 3 required. */
export function preloginAnswer(encryption: number): Buffer {
  const options = [
    [0, Buffer.from([16, 0, 0, 0, 0, 0])],
    [1, Buffer.from([encryption])],
    [2, Buffer.from([0])],
    [3, Buffer.alloc(0)],
    [4, Buffer.from([0])],
  ] as const;
  let offset = options.length * 5 + 1;
  const heads = options.map(([token, value]) => {
    const head = Buffer.from([token, offset >> 8, offset & 0xff, value.length >> 8, value.length & 0xff]);
    offset += value.length;
    return head;
  });
  return Buffer.concat([...heads, Buffer.from([0xff]), ...options.map(([, value]) => value)]);
}

const COLLATION = Buffer.from([0x09, 0x04, 0xd0, 0x00, 0x34]);

export const loginAnswer = (): Buffer =>
  Buffer.concat([
    token(0xe3, Buffer.concat([Buffer.from([7, 5]), COLLATION, Buffer.from([0])])),
    token(
      0xad,
      Buffer.concat([Buffer.from([1, 0x74, 0, 0, 4]), shortText('Fake SQL Server'), Buffer.from([16, 0, 0, 0])]),
    ),
    done(),
  ]);

/** Tells the client to go to another server. */
export function routing(host: string, port: number): Buffer {
  const value = Buffer.concat([Buffer.from([0]), u16(port), longText(host)]);
  return Buffer.concat([
    token(0xe3, Buffer.concat([Buffer.from([20]), u16(value.length), value, u16(0)])),
    loginAnswer(),
  ]);
}

/** A transaction has begun. */
export const transactionBegun = (): Buffer => token(0xe3, Buffer.from([8, 8, 1, 0, 0, 0, 0, 0, 0, 0, 0]));

const token = (kind: number, data: Buffer) => Buffer.concat([Buffer.from([kind]), u16(data.length), data]);

export const done = (status = 0): Buffer => Buffer.concat([Buffer.from([0xfd]), u16(status), Buffer.alloc(10)]);
/** That a request has stopped because it was asked to. */
export const stopped = (): Buffer => done(0x20);

export function error(number: number, message: string, level = 16): Buffer {
  const data = [u32(number), Buffer.from([1, level]), longText(message), shortText('fake'), shortText(''), u32(1)];
  return Buffer.concat([token(0xaa, Buffer.concat(data)), done(0x02)]);
}

/** A column of a result: its name, and how its type and values are written. */
export interface Column {
  readonly name: string;
  readonly type: Buffer;
  readonly write: (value: never) => Buffer;
}

const NULL_LENGTH = u16(0xffff);

export const nvarchar = (name: string, length = 4000): Column => ({
  name,
  type: Buffer.concat([Buffer.from([0xe7]), u16(length * 2), COLLATION]),
  write: (value: string | null) =>
    value === null ? NULL_LENGTH : Buffer.concat([u16(value.length * 2), utf16(value)]),
});

/** In chunks, of a length that is not said. */
export const nvarcharMax = (name: string): Column => ({
  name,
  type: Buffer.concat([Buffer.from([0xe7]), u16(0xffff), COLLATION]),
  write: (value: string) =>
    Buffer.concat([Buffer.from('feffffffffffffff', 'hex'), u32(value.length * 2), utf16(value), u32(0)]),
});

/** A value of a type whose values have a byte with their length before them, as its bytes. */
export const raw = (name: string, ...type: number[]): Column => ({
  name,
  type: Buffer.from(type),
  write: (value: string | null) => {
    const bytes = Buffer.from(value ?? '', 'hex');
    return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  },
});

export const varbinary = (name: string): Column => ({
  name,
  type: Buffer.concat([Buffer.from([0xa5]), u16(8000)]),
  write: (value: string) => Buffer.concat([u16(value.length / 2), Buffer.from(value, 'hex')]),
});

export const variant = (name: string): Column => ({
  name,
  type: Buffer.concat([Buffer.from([0x62]), u32(8009)]),
  write: (value: string) => Buffer.concat([u32(value.length / 2), Buffer.from(value, 'hex')]),
});

export const int = (name: string): Column => ({ ...raw(name, 0x26, 4), write: intOf });

export const bit = (name: string): Column => ({
  ...raw(name, 0x68, 1),
  write: (value: boolean | null) => (value === null ? Buffer.from([0]) : Buffer.from([1, value ? 1 : 0])),
});

const intOf = (value: number | null) =>
  value === null ? Buffer.from([0]) : Buffer.concat([Buffer.from([4]), u32(value)]);

export function columnsToken(columns: readonly Column[]): Buffer {
  const each = columns.map(({ name, type }) => Buffer.concat([u32(0), u16(1), type, shortText(name)]));
  return Buffer.concat([Buffer.from([0x81]), u16(columns.length), ...each]);
}

export const rowToken = (columns: readonly Column[], row: readonly unknown[]): Buffer =>
  Buffer.concat([Buffer.from([0xd1]), ...columns.map(({ write }, i) => write(row[i] as never))]);

export interface Login {
  readonly host: string;
  readonly user: string;
  readonly password: string;
  readonly application: string;
  readonly database: string;
}

export function readLogin(data: Buffer): Login {
  const field = (at: number) =>
    data.subarray(data.readUInt16LE(at), data.readUInt16LE(at) + 2 * data.readUInt16LE(at + 2));
  const hidden = Buffer.from(field(44)).map((byte) => ((byte ^ 0xa5) >> 4) | (((byte ^ 0xa5) << 4) & 0xf0));
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf16le');
  return {
    host: text(field(36)),
    user: text(field(40)),
    password: text(hidden),
    application: text(field(48)),
    database: text(field(68)),
  };
}

/** As the password of a login packet stands on the wire. */
export const hiddenPassword = (password: string): Buffer =>
  Buffer.from(utf16(password).map((byte) => (((byte << 4) & 0xf0) | (byte >> 4)) ^ 0xa5));

export const readBatch = (data: Buffer): string => data.subarray(data.readUInt32LE(0)).toString('utf16le');

export interface Call {
  /** 10 is `sp_executesql`. */
  readonly procedure: number | string;
  readonly parameters: readonly { readonly name: string; readonly value: string | number | null }[];
}

export function readCall(data: Buffer): Call {
  let at = data.readUInt32LE(0);
  const length = data.readUInt16LE(at);
  const procedure =
    length === 0xffff ? data.readUInt16LE(at + 2) : data.toString('utf16le', at + 2, at + 2 + 2 * length);
  at += 2 + (length === 0xffff ? 2 : 2 * length) + 2;
  const parameters: { name: string; value: string | number | null }[] = [];
  while (at < data.length) {
    const name = data.toString('utf16le', at + 1, at + 1 + 2 * data[at]!);
    at += 2 + 2 * data[at]!;
    const read = readParameter(data, at);
    parameters.push({ name, value: read.value });
    at = read.next;
  }
  return { procedure, parameters };
}

function readParameter(data: Buffer, from: number): { value: string | number | null; next: number } {
  const type = data[from]!;
  if (type === 0x26) {
    const length = data[from + 2]!;
    return { value: length === 0 ? null : data.readIntLE(from + 3, length), next: from + 3 + length };
  }
  if (type !== 0xe7) throw new Error(`The fake reads no parameters of type ${type}`);
  let at = from + 8;
  if (data.readUInt16LE(from + 1) !== 0xffff) {
    const length = data.readUInt16LE(at);
    return { value: data.toString('utf16le', at + 2, at + 2 + length), next: at + 2 + length };
  }
  at += 8;
  const chunks: Buffer[] = [];
  for (let length = data.readUInt32LE(at); length > 0; length = data.readUInt32LE(at)) {
    chunks.push(data.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return { value: Buffer.concat(chunks).toString('utf16le'), next: at + 4 };
}
