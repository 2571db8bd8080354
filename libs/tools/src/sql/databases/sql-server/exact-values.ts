/**
 * Values of the TDS protocol as they are. The driver makes floating-point numbers of decimals and money, and dates
 * without their offset and last digits; here they are read from the same bytes without a loss (architecture §6,
 * decision 14).
 */
import * as helpers from 'tedious/lib/token/helpers';
import * as valueParser from 'tedious/lib/value-parser';
import { binaryNumber, shortFloat, wholeNumber, type JsonValue } from '../../exact-value';

interface TdsType {
  readonly type: { readonly name: string };
  readonly scale?: number;
  readonly dataLength?: number;
}

interface Read {
  readonly value: unknown;
  readonly offset: number;
}

type ReadValue = (buffer: Buffer, offset: number, metadata: TdsType, options: unknown) => Read;

/** From the bytes of one value; `scale` is of its type. */
type Decode = (bytes: Buffer, scale: number) => string;

const { NotEnoughDataError } = helpers;
/** The driver's rows go through this property of its module, so that it can be put in its place. */
const parser = valueParser as unknown as { readValue: ReadValue };

/** Types whose values come after a byte with their length. */
const MEASURED: Readonly<Record<string, Decode>> = {
  NumericN: decimal,
  DecimalN: decimal,
  MoneyN: money,
  DateTimeN: dateTime,
  Date: date,
  Time: time,
  DateTime2: dateTime2,
  DateTimeOffset: dateTimeOffset,
};

/** Types whose values have one length, in bytes. */
const FIXED: Readonly<Record<string, readonly [length: number, decode: Decode]>> = {
  Money: [8, money],
  SmallMoney: [4, money],
  DateTime: [8, dateTime],
  SmallDateTime: [4, dateTime],
};

const BASE_TYPES: Readonly<Record<number, Decode>> = {
  0x28: date,
  0x29: time,
  0x2a: dateTime2,
  0x2b: dateTimeOffset,
  0x3a: dateTime,
  0x3c: money,
  0x3d: dateTime,
  0x6a: decimal,
  0x6c: decimal,
  0x7a: money,
};

let isInstalled = false;

/** Has the driver read values exactly, in this process. */
export function readValuesExactly(): void {
  if (isInstalled) return;
  isInstalled = true;
  const readByDriver = parser.readValue;
  parser.readValue = (buffer, offset, metadata, options) =>
    measured(buffer, offset, metadata) ??
    fixed(buffer, offset, metadata) ??
    variant(buffer, offset, metadata) ??
    readByDriver(buffer, offset, metadata, options);
}

function measured(buffer: Buffer, offset: number, { type, scale = 0 }: TdsType): Read | undefined {
  const decode = MEASURED[type.name];
  if (!decode) return undefined;
  need(buffer, offset + 1);
  const length = buffer[offset]!;
  const from = offset + 1;
  if (length === 0) return { value: null, offset: from };
  need(buffer, from + length);
  return { value: decode(buffer.subarray(from, from + length), scale), offset: from + length };
}

function fixed(buffer: Buffer, offset: number, { type }: TdsType): Read | undefined {
  const [length, decode] = FIXED[type.name] ?? [];
  if (length === undefined || !decode) return undefined;
  need(buffer, offset + length);
  return { value: decode(buffer.subarray(offset, offset + length), 0), offset: offset + length };
}

/** A value of any type, with its type before it. */
function variant(buffer: Buffer, offset: number, { type }: TdsType): Read | undefined {
  if (type.name !== 'Variant') return undefined;
  need(buffer, offset + 4);
  const length = buffer.readUInt32LE(offset);
  const from = offset + 4;
  if (length === 0) return { value: null, offset: from };
  need(buffer, from + length);
  const decode = BASE_TYPES[buffer[from]!];
  if (!decode) return undefined;
  const properties = buffer[from + 1]!;
  const value = buffer.subarray(from + 2 + properties, from + length);
  // The scale is the last of the properties there are.
  return { value: decode(value, properties === 0 ? 0 : buffer[from + 1 + properties]!), offset: from + length };
}

function need(buffer: Buffer, length: number): void {
  if (buffer.length < length) throw new NotEnoughDataError(length);
}

function unsigned(bytes: Buffer): bigint {
  let value = 0n;
  for (let i = bytes.length - 1; i >= 0; i--) value = (value << 8n) | BigInt(bytes[i]!);
  return value;
}

/** `-1234`, 2 → `-12.34` */
function scaled(value: bigint, scale: number): string {
  const digits = (value < 0n ? -value : value).toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  return `${value < 0n ? '-' : ''}${whole}${scale > 0 ? `.${digits.slice(-scale)}` : ''}`;
}

function decimal(bytes: Buffer, scale: number): string {
  const magnitude = unsigned(bytes.subarray(1));
  return scaled(bytes[0] === 0 ? -magnitude : magnitude, scale);
}

/** Ten-thousandths; the higher half comes first. */
function money(bytes: Buffer): string {
  if (bytes.length === 4) return scaled(BigInt(bytes.readInt32LE(0)), 4);
  return scaled((BigInt(bytes.readInt32LE(0)) << 32n) | BigInt(bytes.readUInt32LE(4)), 4);
}

const pad = (value: number, length = 2) => String(value).padStart(length, '0');
const DAY_MS = 86_400_000;

function day(since: number, days: number): string {
  const at = new Date(since + days * DAY_MS);
  return `${pad(at.getUTCFullYear(), 4)}-${pad(at.getUTCMonth() + 1)}-${pad(at.getUTCDate())}`;
}

const YEAR_1900 = Date.UTC(1900, 0, 1);
const YEAR_1 = new Date(0).setUTCFullYear(1, 0, 1);

function clock(units: bigint, scale: number): string {
  const perSecond = 10n ** BigInt(scale);
  const seconds = Number(units / perSecond);
  const fraction = scale > 0 ? `.${(units % perSecond).toString().padStart(scale, '0')}` : '';
  return `${pad(Math.floor(seconds / 3600))}:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}${fraction}`;
}

/** Days and three-hundredths of a second, or days and minutes. */
function dateTime(bytes: Buffer): string {
  if (bytes.length === 4) {
    return `${day(YEAR_1900, bytes.readUInt16LE(0))} ${clock(BigInt(bytes.readUInt16LE(2)) * 60n, 0)}`;
  }
  const milliseconds = Math.round((bytes.readUInt32LE(4) * 10) / 3);
  return `${day(YEAR_1900, bytes.readInt32LE(0))} ${clock(BigInt(milliseconds), 3)}`;
}

function date(bytes: Buffer): string {
  return day(YEAR_1, bytes.readUIntLE(0, 3));
}

function time(bytes: Buffer, scale: number): string {
  return clock(unsigned(bytes), scale);
}

function dateTime2(bytes: Buffer, scale: number): string {
  const split = bytes.length - 3;
  return `${date(bytes.subarray(split))} ${time(bytes.subarray(0, split), scale)}`;
}

/** Stored in UTC with the minutes that its own clock is ahead. */
function dateTimeOffset(bytes: Buffer, scale: number): string {
  const split = bytes.length - 5;
  const ahead = bytes.readInt16LE(split + 3);
  const perMinute = 60n * 10n ** BigInt(scale);
  const perDay = 1440n * perMinute;
  const utc = BigInt(bytes.readUIntLE(split, 3)) * perDay + unsigned(bytes.subarray(0, split));
  const local = utc + BigInt(ahead) * perMinute;
  const sign = ahead < 0 ? '-' : '+';
  const offset = `${sign}${pad(Math.floor(Math.abs(ahead) / 60))}:${pad(Math.abs(ahead) % 60)}`;
  return `${day(YEAR_1, Number(local / perDay))} ${clock(local % perDay, scale)} ${offset}`;
}

/** What the driver has read, as JSON. */
export function exactJson(value: unknown, { type, dataLength }: TdsType): JsonValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return isBig(type.name, dataLength) ? wholeNumber(BigInt(value)) : value;
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') {
    return type.name === 'Real' || (type.name === 'FloatN' && dataLength === 4)
      ? shortFloat(value)
      : binaryNumber(value);
  }
  if (value instanceof Date) return value.toISOString();
  return Buffer.isBuffer(value) ? `0x${value.toString('hex')}` : String(value as never);
}

const isBig = (name: string, length: number | undefined) => name === 'BigInt' || (name === 'IntN' && length === 8);
