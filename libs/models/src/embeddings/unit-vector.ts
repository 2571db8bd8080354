/** The vector of length one in the direction of `values`, or undefined where they have none. */
export function unitVector(values: readonly number[]): Float32Array | undefined {
  let squares = 0;
  for (const value of values) squares += value * value;
  const length = Math.sqrt(squares);
  if (!(length > 0 && Number.isFinite(length))) return undefined;
  return Float32Array.from(values, (value) => value / length);
}
