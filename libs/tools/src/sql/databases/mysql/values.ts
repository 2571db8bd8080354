/** Values as MySQL and MariaDB have them, in JSON without a loss. */
import { binaryNumber, shortFloat, wholeNumber, type JsonValue } from '../../exact-value';
import type { ResultColumn } from '../../table-query';
import type { Field } from './mysql-client';

const BINARY = 63;
const UNSIGNED = 0x20;
const ENUM = 0x100;
const SET = 0x800;
/** `decimals` of what has no fixed number of them. */
const NOT_FIXED = 31;
/** Characters of utf8mb4 in what a length counts in bytes. */
const BYTES_PER_CHARACTER = 4;

const NAMES: Readonly<Record<number, string>> = {
  0: 'decimal', 1: 'tinyint', 2: 'smallint', 3: 'int', 4: 'float', 5: 'double', 6: 'null', 7: 'timestamp', 8: 'bigint',
  9: 'mediumint', 10: 'date', 11: 'time', 12: 'datetime', 13: 'year', 14: 'date', 15: 'varchar', 16: 'bit',
  242: 'vector', 245: 'json', 246: 'decimal', 247: 'enum', 248: 'set', 249: 'tinyblob', 250: 'mediumblob',
  251: 'longblob', 252: 'blob', 253: 'varchar', 254: 'char', 255: 'geometry',
}; // prettier-ignore

const FLOAT = 4;
const BIT = 16;
const JSON_TYPE = 245;
const TIMES: ReadonlySet<number> = new Set([7, 11, 12]);

export function columnOf(field: Field): ResultColumn {
  return { name: field.name, type: typeOf(field) };
}

function typeOf({ columnType, columnLength, decimals, flags, characterSet, ...extended }: Field): string {
  if (extended.extendedFormat === 'json') return 'json';
  if (extended.extendedTypeName) return extended.extendedTypeName.slice(0, 64);
  if (flags & ENUM) return 'enum';
  if (flags & SET) return 'set';
  const name = NAMES[columnType] ?? 'unknown';
  const unsigned = flags & UNSIGNED ? ' unsigned' : '';
  switch (name) {
    case 'decimal': {
      const precision = columnLength - (decimals > 0 ? 1 : 0) - (unsigned ? 0 : 1);
      return `decimal(${precision},${decimals})${unsigned}`;
    }
    case 'tinyint':
    case 'smallint':
    case 'mediumint':
    case 'int':
    case 'bigint':
      return name + unsigned;
    case 'timestamp':
    case 'datetime':
    case 'time':
      return decimals > 0 && decimals < NOT_FIXED ? `${name}(${decimals})` : name;
    case 'bit':
      return `bit(${columnLength})`;
    case 'varchar':
    case 'char':
      if (characterSet === BINARY) return name === 'char' ? `binary(${columnLength})` : `varbinary(${columnLength})`;
      return `${name}(${Math.floor(columnLength / BYTES_PER_CHARACTER)})`;
    case 'blob':
    case 'tinyblob':
    case 'mediumblob':
    case 'longblob':
      return characterSet === BINARY ? name : name.replace('blob', 'text');
    default:
      return name;
  }
}

/** Reads one value of a column as the driver gives it. */
export function valueOf(value: unknown, { columnType, decimals, extendedFormat }: Field): JsonValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number') return columnType === FLOAT ? shortFloat(value) : binaryNumber(value);
  if (typeof value === 'string') {
    if (columnType === JSON_TYPE || extendedFormat === 'json') return exactJson(value);
    return TIMES.has(columnType) ? withFraction(value, decimals) : value;
  }
  if (typeof value === 'bigint') return wholeNumber(value);
  if (Buffer.isBuffer(value)) {
    if (columnType === BIT) return wholeNumber(value.length === 0 ? 0n : BigInt(`0x${value.toString('hex')}`));
    return `0x${value.toString('hex')}`;
  }
  return Array.isArray(value) ? value.map((part) => binaryNumber(Number(part))) : JSON.stringify(value);
}

/** The driver leaves out what is zero; the server writes it. */
function withFraction(time: string, decimals: number): string {
  if (decimals === 0 || decimals >= NOT_FIXED) return time;
  const [whole, fraction = ''] = time.split('.');
  return `${whole}.${fraction.padEnd(decimals, '0')}`;
}

/** JSON, where JavaScript reads every number of it exactly; else its text. */
function exactJson(text: string): JsonValue {
  const outsideTexts = text.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  if (/[\d.]{17}/.test(outsideTexts)) return text;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}
