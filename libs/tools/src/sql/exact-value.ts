/**
 * Values of a result as JSON carries them without a loss (architecture §6, decision 14): what JSON has is itself;
 * whole numbers beyond 2^53, decimals, dates, times and intervals are texts; so are NaN and the infinities.
 */
export type JsonValue =
  string | number | boolean | null | readonly JsonValue[] | { readonly [name: string]: JsonValue };

export type Row = readonly JsonValue[];

/** A whole number: itself where JSON readers hold it exactly, else its digits. */
export const wholeNumber = (value: bigint): number | string =>
  value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)
    ? Number(value)
    : value.toString();

/** A binary fraction; what JSON cannot write is named. */
export const binaryNumber = (value: number): number | string => (Number.isFinite(value) ? value : String(value));

/** The shortest number that is this 32-bit one: 0.1, where the same bits read as 64 are 0.10000000149011612. */
export function shortFloat(value: number): number | string {
  if (!Number.isFinite(value)) return String(value);
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return value;
}
