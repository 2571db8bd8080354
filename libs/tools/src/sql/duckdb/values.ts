/** DuckDB's values as exact JSON. */
import {
  DuckDBArrayValue,
  DuckDBBlobValue,
  DuckDBListValue,
  DuckDBMapValue,
  DuckDBStructValue,
  DuckDBTypeId,
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
    return value.items.map((item) => exactJson(item));
  }
  if (value instanceof DuckDBStructValue) {
    return Object.fromEntries(Object.entries(value.entries).map(([name, inner]) => [name, exactJson(inner)]));
  }
  if (value instanceof DuckDBMapValue)
    return value.entries.map(({ key, value: of }) => [exactJson(key), exactJson(of)]);
  if (value instanceof DuckDBUnionValue) return exactJson(value.value);
  if (value instanceof DuckDBBlobValue) return `0x${Buffer.from(value.bytes).toString('hex')}`;
  return value.toString();
}
