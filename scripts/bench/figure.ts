/** One line of the benchmark's table. */
export interface Figure {
  readonly name: string;
  /** With its unit. */
  readonly measured: string;
  /** Absent: only told. */
  readonly goal?: string;
  /** Whether the goal is met; goes with `goal`. */
  readonly ok?: boolean;
}

/** A part of the benchmark that can be run alone. */
export interface Benchmark {
  /** As it is chosen on the command line. */
  readonly name: string;
  /** What it may take, if that is more than others. */
  readonly longestMs?: number;
  run(): Promise<Figure[]>;
}

export const median = (numbers: readonly number[]) =>
  [...numbers].sort((one, other) => one - other)[numbers.length >> 1]!;
