/** Formulas by which a sheet adds up what stands above: their rows are no data, whatever they are called. */

/** A call of one function, and nothing around it; in the notation of Excel or of OpenDocument. */
const CALL =
  /^(?:of:)?\+?=?(?:_xlfn\.)?(?:SUM|SUBTOTAL|AGGREGATE|AVERAGE|AVERAGEA|COUNT|COUNTA|MIN|MAX|MEDIAN|PRODUCT|STDEV(?:\.[SP])?)\(([^()"]{2,500})\)$/i;
/** The first arguments of SUBTOTAL and AGGREGATE say what to compute. */
const OPTION = /^\d{1,3}$/;
const RANGE = /^([A-Z]{1,3})(\d{1,7})(?::([A-Z]{1,3})(\d{1,7}))?$/i;

/**
 * Whether a formula in a cell is over cells above it in the same column, and over no others.
 *
 * @param row of the cell, counted from 0, as is the column.
 */
export function isSumOfAbove(formula: string, row: number, column: number): boolean {
  const [, written] = CALL.exec(formula.replace(/[$\s[\]]/g, '').replace(/(^|[:;,(])\./g, '$1')) ?? [];
  if (written === undefined) return false;
  const ranges = written.split(/[,;~]/).filter((argument) => !OPTION.test(argument));
  const isOver = (argument: string) => {
    const [, left, from, right = left, to = from] = RANGE.exec(argument) ?? [];
    if (left === undefined || right === undefined) return false;
    return (
      numberOf(left) === column &&
      numberOf(right) === column &&
      Math.max(Number(from), Number(to)) <= row &&
      // A single cell says nothing by itself: each row may take up the one before.
      (ranges.length > 1 || from !== to)
    );
  };
  return ranges.length > 0 && ranges.every(isOver);
}

/** `A` is 0. */
const numberOf = (letters: string): number =>
  [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
