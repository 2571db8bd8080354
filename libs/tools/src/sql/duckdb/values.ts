/** DuckDB's values as exact JSON. */
import {
  DuckDBArrayType,
  DuckDBArrayValue,
  DuckDBBlobValue,
  DuckDBDateValue,
  DuckDBListType,
  DuckDBListValue,
  DuckDBMapType,
  DuckDBMapValue,
  DuckDBStructType,
  DuckDBStructValue,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampSecondsValue,
  DuckDBTypeId,
  DuckDBUnionType,
  DuckDBUnionValue,
  type DuckDBType,
  type DuckDBValue,
} from '@duckdb/node-api';
import { binaryNumber, shortFloat, wholeNumber, type JsonValue } from '../exact-value';

export function exactJson(value: DuckDBValue, type?: DuckDBType): JsonValue {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'bigint') return wholeNumber(value);
  if (typeof value === 'number') return type?.typeId === DuckDBTypeId.FLOAT ? shortFloat(value) : binaryNumber(value);
  if (value instanceof DuckDBListValue || value instanceof DuckDBArrayValue) {
    const of = type instanceof DuckDBListType || type instanceof DuckDBArrayType ? type.valueType : undefined;
    return value.items.map((item) => exactJson(item, of));
  }
  if (value instanceof DuckDBStructValue) {
    const of = type instanceof DuckDBStructType ? type : undefined;
    return Object.fromEntries(
      Object.entries(value.entries).map(([name, inner]) => [
        name,
        exactJson(inner, of?.entryTypes[of.entryNames.indexOf(name)]),
      ]),
    );
  }
  if (value instanceof DuckDBMapValue) {
    const of = type instanceof DuckDBMapType ? type : undefined;
    return value.entries.map((entry) => [exactJson(entry.key, of?.keyType), exactJson(entry.value, of?.valueType)]);
  }
  if (value instanceof DuckDBUnionValue) {
    const of = type instanceof DuckDBUnionType ? type.memberTypes[type.memberTags.indexOf(value.tag)] : undefined;
    return exactJson(value.value, of);
  }
  if (value instanceof DuckDBBlobValue) return `0x${Buffer.from(value.bytes).toString('hex')}`;
  return infinite(value) ?? value.toString().replace(YEAR_ZERO, '0001-$1 (BC)');
}

/** The package writes the year before the first as one that DuckDB does not know. */
const YEAR_ZERO = /^0000-(\d\d-\d\d)(?= |$)/;

/** Dates and times without an end, which the package writes as the last moment that there is. */
function infinite(value: Exclude<DuckDBValue, null | boolean | number | bigint | string>): string | undefined {
  const at =
    value instanceof DuckDBDateValue
      ? value.days
      : value instanceof DuckDBTimestampSecondsValue
        ? value.seconds
        : value instanceof DuckDBTimestampMillisecondsValue
          ? value.millis
          : value instanceof DuckDBTimestampNanosecondsValue
            ? value.nanos
            : undefined;
  if (at === undefined || (value as DuckDBDateValue).isFinite) return undefined;
  return at > 0 ? 'infinity' : '-infinity';
}

/** Whether values of a type have parts that no object keeps apart: those of `(a, b)` have no names. */
export function hasNamelessParts(type: DuckDBType): boolean {
  if (type instanceof DuckDBStructType) {
    const names = new Set(type.entryNames);
    return (
      names.size < type.entryNames.length ||
      names.has('') ||
      names.has('__proto__') ||
      type.entryTypes.some(hasNamelessParts)
    );
  }
  if (type instanceof DuckDBListType || type instanceof DuckDBArrayType) return hasNamelessParts(type.valueType);
  if (type instanceof DuckDBMapType) return hasNamelessParts(type.keyType) || hasNamelessParts(type.valueType);
  return type instanceof DuckDBUnionType && type.memberTypes.some(hasNamelessParts);
}
