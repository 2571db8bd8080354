/**
 * The type of a column, from all that its cells say; and how each cell is then written for the database.
 *
 * A column only gets a type that takes every one of its values without losing anything. One value that does not fit
 * leaves it text, and the report says which.
 */
import { isBlank, markOf, shown } from './cell';
import type { ColumnEvidence, Example } from './column-evidence';
import { namesDate, namesDirection } from './column-names';
import { count, given, MOSTLY, quote, type ColumnPlan, type Conventions } from './column-plan';
import { decideMoments } from './decide-moments';
import { decideNumbers, isNumbering, isTextCode } from './decide-numbers';
import { booleanPair } from './read-word';

/** @param header as the file has it: what it speaks of tells codes from numbers. */
export function decideColumn(evidence: ColumnEvidence, header: string, conventions: Conventions): ColumnPlan {
  const plan = typedPlan(evidence, header, conventions) ?? textPlan(evidence, header);
  return { ...plan, warnings: [...plan.warnings, ...generalWarnings(evidence, plan)] };
}

function typedPlan(evidence: ColumnEvidence, header: string, conventions: Conventions): ColumnPlan | undefined {
  const { filled, numbers, moments, typed } = evidence;
  if (filled === 0) return undefined;
  const booleans = decideBooleans(evidence, header);
  if (booleans) return booleans;
  if (isNumbering(evidence, header)) return undefined;
  if (numbers.count === filled) {
    if (numbers.compactDates === filled && namesDate(header)) return compactDates(evidence);
    return decideNumbers(evidence, header, conventions);
  }
  if (moments.count === filled && typed.boolean === 0) return decideMoments(evidence, conventions);
  return undefined;
}

function decideBooleans(evidence: ColumnEvidence, header: string): ColumnPlan | undefined {
  const { typed, filled, words } = evidence;
  const pair = typed.boolean === filled ? (['true', 'false'] as const) : booleanPair(words);
  if (!pair || (pair[0].length === 1 && namesDirection(header))) return undefined;
  const [yes, no] = pair;
  return {
    type: 'BOOLEAN',
    decision: yes === 'true' ? 'truth values' : `truth values: ${yes} is true, ${no} is false`,
    evidence: `all ${count(filled, 'value')} are ${yes} or ${no}`,
    warnings: [],
    write: (cell) => given(cell, (text) => (text.trim().toLowerCase() === yes ? 'true' : 'false')),
  };
}

function compactDates({ filled }: ColumnEvidence): ColumnPlan {
  return {
    type: 'DATE',
    decision: 'dates written as eight digits, year first',
    evidence: `all ${count(filled, 'value')} are calendar days so written, and the header speaks of a date`,
    warnings: [],
    write: (cell) => given(cell, (text) => text.trim().replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')),
  };
}

function textPlan(evidence: ColumnEvidence, header: string): ColumnPlan {
  const { filled, numbers, moments, missing, errors, typed } = evidence;
  const base = {
    type: 'VARCHAR',
    warnings: [] as string[],
    write: (cell: string) => (isBlank(cell) || markOf(cell) === 'error' ? undefined : shown(cell)),
  };
  if (filled === 0) {
    const written = [...missing.keys(), ...errors.keys()];
    return {
      ...base,
      decision: 'text',
      evidence: written.length ? `nothing but ${written.slice(0, 5).join(', ')}` : 'the column is empty',
    };
  }
  const odd = oddOnes(evidence);
  return { ...base, ...why(), warnings: odd ? [odd] : [] };

  function why(): { decision: string; evidence: string } {
    if (numbers.padded > 0 && numbers.count === filled) {
      return {
        decision: 'text, so that leading zeros stay',
        evidence: `${count(numbers.padded, 'value begins', 'values begin')} with a zero that a number would not keep`,
      };
    }
    if (isNumbering(evidence, header)) {
      return { decision: 'text: versions or the like, of which 1.10 comes after 1.9', evidence: 'the header says so' };
    }
    if (numbers.count === filled && isTextCode(evidence, header)) {
      return { decision: 'text: digits that are a code', evidence: 'the header or the form of the values says so' };
    }
    if (numbers.count === filled && numbers.exponents > 0) {
      return { decision: 'text: codes with an E between digits', evidence: 'none of them has a decimal sign' };
    }
    const units = [...numbers.units.keys()];
    if (numbers.count === filled && units.length > 0) {
      return { decision: 'text: numbers in different units', evidence: `units found: ${units.slice(0, 6).join(', ')}` };
    }
    if (numbers.count === filled) {
      return {
        decision: 'text: the numbers contradict each other',
        evidence: 'point and comma are both used as decimal sign',
      };
    }
    if (typed.duration > 0 && moments.count < filled && typed.duration + typed.date === filled) {
      return {
        decision: 'text: durations, of which some are negative',
        evidence: 'a column of durations takes none below zero; CAST(… AS INTERVAL) reads each of them',
      };
    }
    if (moments.count === filled) {
      return {
        decision: 'text: the dates contradict each other',
        evidence: 'some can only be day first, some only month first',
      };
    }
    const examples = evidence.texts.examples.slice(0, 3).map(({ value }) => quote(value));
    return { decision: 'text', evidence: `${count(filled, 'value')}, such as ${examples.join(', ') || 'mixed kinds'}` };
  }
}

/** A text column that would have been numbers or dates but for a few cells. */
function oddOnes({
  filled,
  numbers,
  moments,
  texts,
  numberExamples,
  momentExamples,
}: ColumnEvidence): string | undefined {
  const [kind, fitting, others, further] =
    numbers.count >= moments.count
      ? (['numbers', numbers.count, moments.count + texts.count, momentExamples] as const)
      : (['dates', moments.count, numbers.count + texts.count, numberExamples] as const);
  if (others === 0 || fitting < filled * MOSTLY) return undefined;
  const odd = [...texts.examples, ...further].slice(0, 3);
  const examples = odd.map(({ value, row }: Example) => `${quote(value)} (row ${row})`);
  return `${fitting} of ${filled} values are ${kind}; the column is text because of the others${examples.length ? `: ${examples.join(', ')}` : ''}`;
}

export function generalWarnings(evidence: ColumnEvidence, { type }: ColumnPlan): string[] {
  const { edgeSpaces, missing, errors } = evidence;
  const isText = type === 'VARCHAR';
  const warnings: string[] = [];
  if (isText && edgeSpaces > 0) {
    warnings.push(
      `${count(edgeSpaces, 'value begins or ends', 'values begin or end')} with white space, which is kept`,
    );
  }
  if (evidence.huge > 0) {
    warnings.push(`${count(evidence.huge, 'number')} beyond 2^53, of which a sheet keeps some 15 digits`);
  }
  const signs = [...missing]
    .sort(([, one], [, other]) => other - one)
    .slice(0, 5)
    .map(([sign, times]) => `${quote(sign)} (${times})`);
  if (isText && signs.length > 0)
    warnings.push(`kept as text although it may mean that there is no value: ${signs.join(', ')}`);
  const wrong = [...errors].slice(0, 5).map(([error, times]) => `${error} (${times})`);
  if (wrong.length > 0) warnings.push(`errors in the sheet: ${wrong.join(', ')}; they are NULL`);
  return warnings;
}
