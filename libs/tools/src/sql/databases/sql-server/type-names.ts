/** Types of result columns in the words of SQL Server. */
interface ColumnType {
  readonly type: { readonly name: string };
  readonly precision?: number;
  readonly scale?: number;
  readonly dataLength?: number;
  readonly udtInfo?: { readonly typeName: string };
}

/** Of those that come in several sizes. */
const BY_LENGTH: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  IntN: { 1: 'tinyint', 2: 'smallint', 4: 'int', 8: 'bigint' },
  FloatN: { 4: 'real', 8: 'float' },
  MoneyN: { 4: 'smallmoney', 8: 'money' },
  DateTimeN: { 4: 'smalldatetime', 8: 'datetime' },
};

const NAMES: Readonly<Record<string, string>> = {
  BitN: 'bit',
  Variant: 'sql_variant',
  NumericN: 'numeric',
  DecimalN: 'decimal',
};

export function typeName({ type, precision, scale, dataLength, udtInfo }: ColumnType): string {
  if (udtInfo) return udtInfo.typeName;
  const name = BY_LENGTH[type.name]?.[dataLength ?? 0] ?? NAMES[type.name] ?? type.name.toLowerCase();
  if (name === 'numeric' || name === 'decimal') return `${name}(${precision ?? 0},${scale ?? 0})`;
  if (/^(?:time|datetime2|datetimeoffset)$/.test(name)) return `${name}(${scale ?? 7})`;
  if (!/^n?(?:var)?char$|binary$/.test(name)) return name;
  if (dataLength === undefined || dataLength >= 65_535) return `${name}(max)`;
  return `${name}(${name.startsWith('n') ? dataLength / 2 : dataLength})`;
}

/** As `sys.columns` has it: lengths in bytes, -1 for the largest. */
export function catalogType(name: string, length: number, precision: number, scale: number): string {
  if (name === 'decimal' || name === 'numeric') return `${name}(${precision},${scale})`;
  if (/^(?:time|datetime2|datetimeoffset)$/.test(name)) return `${name}(${scale})`;
  if (!/^n?(?:var)?char$|binary$/.test(name)) return name;
  if (length === -1) return `${name}(max)`;
  return `${name}(${name.startsWith('n') ? length / 2 : length})`;
}
