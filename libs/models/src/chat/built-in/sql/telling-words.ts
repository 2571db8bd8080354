/** Words that name a column by what its values tell: a verb of its name, or the opposite of it. */
import { stem } from '../words';
import type { Column } from './described-table';
import { formsOf, sameWord, type Word } from './forms';
import type { Read } from './items';
import { isVerbOf } from './names';
import type { Scope, Source } from './scope';

/** The "assigned" of `assignee_id`, the "requested" of `requester_id`. */
export const isRoleVerb = ({ text }: Word, { sources, root }: Scope): boolean =>
  /^.{5,}ed$/.test(text) &&
  sources.some(
    ({ joined, names }) =>
      joined?.from === root &&
      names.some(
        ({ words }) =>
          words.length === 1 && words[0]!.endsWith('e'.repeat(2)) && words[0]!.startsWith(text.slice(0, -2)),
      ),
  );

/** "Unpaid" and "inactive", where a column says "paid" or "active". */
export function oppositeAt({ text }: Word, { sources }: Scope): Read | undefined {
  const [, rest] = /^(?:un|in|im)(.{4,})$/.exec(text) ?? [];
  if (rest === undefined) return undefined;
  const meant = sources
    .flatMap(({ columns }) => columns)
    .filter(
      ({ kind, names }) =>
        kind === 'boolean' && names.some(([name, more]) => more === undefined && sameWord(name!, rest)),
    );
  const [column] = meant;
  if (!column || meant.length > 1) return undefined;
  return { item: { t: 'column', column, isPart: false, isSynonym: false, isNegated: true }, length: 1 };
}

/** What is open is not closed, where a date says when it was. */
export function openAt({ text }: Word, { columns }: Source): Read | undefined {
  if (!/^(?:open|abiert[oa]s?)$/.test(text)) return undefined;
  const closed = columns.filter(
    ({ kind, spec, names }) =>
      kind === 'date' &&
      spec.nullable !== false &&
      names.some((name) => name.length <= 2 && formsOf(name[0]!).has('closed')),
  );
  const [column] = closed;
  if (!column || closed.length > 1) return undefined;
  return { item: { t: 'column', column, isPart: false, isSynonym: false, isNegated: true }, length: 1 };
}

/** The "pagar" of `pagada`. */
export function truthNamedBy({ text }: Word, { columns }: Source): Column | undefined {
  const named = columns.filter(
    ({ kind, names }) =>
      kind === 'boolean' && names.some(([name, more]) => more === undefined && isVerbOf(text, name!)),
  );
  return named.length === 1 ? named[0] : undefined;
}

/** The "hired" of `hire_date`: a verb that says which date is meant. */
export function dateNamedBy({ text }: Word, { columns }: Source): Column | undefined {
  if (text.length < 4) return undefined;
  // "Orders" are no rows that were ordered, where several rows are of one order.
  const isShared = ({ isUnique, names }: Column) =>
    !isUnique &&
    names.some((name) => name.length === 2 && /^(?:id|number|no|num|code)$/.test(name[1]!) && sameWord(name[0]!, text));
  if (columns.some(isShared)) return undefined;
  const dates = columns.filter(({ kind }) => kind === 'date');
  const named = dates.filter(({ names }) =>
    names
      .flat()
      .some(
        (part) =>
          part.length > 3 &&
          (sameWord(part, text) || (['en', 'es'] as const).some((spoken) => stem(part, spoken) === stem(text, spoken))),
      ),
  );
  return named.length === 1 ? named[0] : undefined;
}
