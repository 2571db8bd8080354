/** Whether objects and lists lie in each other deeper than that; without recursion, so that it cannot fail itself. */
export function nestsDeeper(value: unknown, levels: number): boolean {
  let level = [value].filter(isNest);
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > levels) return true;
    level = level.flatMap((outer) => Object.values(outer).filter(isNest));
  }
  return false;
}

const isNest = (value: unknown): value is object => typeof value === 'object' && value !== null;
