/**
 * The conditions in a question, taken out of its items: values that occur in the data, comparisons with numbers,
 * stretches of time, what is there and what is missing.
 */
import type { Reading } from '../reading';
import { takeNumbers } from './numbers';
import { takeTimes } from './times';
import { takeMissing, takePresent, takeTruths } from './truths';
import { takeValues } from './values';

export function takeConditions(reading: Reading): void {
  takeTimes(reading);
  takeValues(reading);
  takeMissing(reading);
  takeNumbers(reading);
  takeTruths(reading);
  takePresent(reading);
}
