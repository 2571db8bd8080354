/**
 * Rows by how many rows of another table point at them: "customers without orders", "customers with more than 3 orders".
 * The words behind the other rows are conditions on those.
 */
import type { DescribedTable } from './described-table';
import { takeConditions } from './conditions/conditions';
import { doesNotFit, type Item } from './items';
import { formsOf } from './forms';
import { phraseAt } from './lexicon';
import { bestNaming, isVerbOf, type Naming } from './names';
import { readItems, type Wording } from './read-question';
import { Reading } from './reading';
import type { Link } from './links';
import { scopeOf, type Scope } from './scope';
import type { Usefulness } from './usefulness';
import { join, sql, type Sql } from './sql';
import { readDigits, readNumberWords } from '../numbers';

export interface Bridge {
  /** The words before it. */
  readonly main: Wording;
  readonly link: Link;
  readonly compare: { readonly op: string; readonly value: number };
  /** The words of the conditions on the other rows. */
  readonly further: Wording;
}

const OPENINGS = [
  'who|that|which|have|has|had|having|with|placed|made|did|do|does|are|were|been|the|any|a|an|single|one|still|yet',
  'que|tienen|tiene|tengan|tenido|tenida|tenian|tuvieron|han|ha|hecho|hicieron|realizado|con|ningun|ninguna|ningunos|un|una|se',
]
  .join('|')
  .split('|');
const FILLERS = new Set(OPENINGS);
const NONE = new Set('without no zero never sin nunca dont doesnt didnt havent hasnt not ningun ninguna'.split(' '));
const COMPARES: readonly (readonly [string, string])[] = [
  ['more than', '>'],
  ['at least', '>='],
  ['over', '>'],
  ['fewer than', '<'],
  ['less than', '<'],
  ['at most', '<='],
  ['no more than', '<='],
  ['exactly', '='],
  ['mas de', '>'],
  ['al menos', '>='],
  ['como minimo', '>='],
  ['por lo menos', '>='],
  ['menos de', '<'],
  ['como maximo', '<='],
  ['exactamente', '='],
];

/** Where the question says it of rows of the table. */
export function bridgesOf(wording: Wording, table: DescribedTable, links: readonly Link[]): Bridge[] {
  const { words } = wording;
  return links
    .filter((link) => link.to === table && link.from !== table && !link.isReverse)
    .flatMap((link) => {
      // "Han comprado" and "comprado" say the same once.
      const found = words.flatMap((_, at): Bridge[] => {
        const naming: (Naming & { isDeed?: boolean }) | undefined =
          at > 0 ? (bestNaming(link.from.names, words, at) ?? deedAt(words, at, link.from)) : undefined;
        const lead = naming && !naming.isPart ? leadBefore(wording, at, naming.isDeed === true) : undefined;
        if (!naming || !lead) return [];
        return [
          {
            main: { ...wording, words: words.slice(0, lead.start) },
            link,
            compare: lead.compare,
            further: { ...wording, words: words.slice(at + naming.length) },
          },
        ];
      });
      return found.slice(0, 1);
    });
}

interface Lead {
  readonly start: number;
  readonly compare: { readonly op: string; readonly value: number };
}

/** The verb of rows: "never ordered" has no orders. */
function deedAt(
  words: Wording['words'],
  at: number,
  { names }: DescribedTable,
): (Naming & { isDeed: true }) | undefined {
  const act = phraseAt(words, at);
  const whole = names.filter(({ words: name, isPart }) => name.length === 1 && !isPart);
  const isAct =
    act?.meaning.t === 'act' &&
    whole.some(({ words: [name] }) => [...formsOf(name!)].some((form) => /^(?:order|purchase|sale)$/.test(form)));
  if (!isAct && !whole.some(({ words: [name] }) => isVerbOf(words[at]!.text, name!))) return undefined;
  return { length: isAct ? act.length : 1, isPart: false, isSynonym: false, isDeed: true };
}

/** "without", "that have no", "with more than 3", ending before a place. */
function leadBefore({ words, language }: Wording, end: number, isDeed: boolean): Lead | undefined {
  const text = (at: number) => words[at]?.text ?? '';
  let start = end;
  let saysNone = false;
  while (start > 0 && (FILLERS.has(text(start - 1)) || NONE.has(text(start - 1)))) {
    saysNone ||= NONE.has(text(start - 1));
    start--;
  }
  if (saysNone && start > 0) return { start, compare: { op: '=', value: 0 } };
  if (start < end || isDeed) return undefined;
  for (const [phrase, op] of COMPARES) {
    const said = phrase.split(' ');
    for (let length = 1; length <= 3; length++) {
      const first = end - length - said.length;
      if (first < 1 || !said.every((word, i) => text(first + i) === word)) continue;
      const value = numberIn(words.slice(end - length, end), language);
      if (value === undefined || !Number.isInteger(value) || value < 0) continue;
      let from = first;
      while (from > 0 && FILLERS.has(text(from - 1))) from--;
      if (from === 0 || NONE.has(text(from - 1))) return undefined;
      return { start: from, compare: { op, value } };
    }
  }
  return undefined;
}

function numberIn(words: Wording['words'], language: Wording['language']): number | undefined {
  if (words.length === 1 && words[0]!.kind === 'number') return readDigits(words[0]!.text, language);
  const read = readNumberWords(
    words.map(({ text }) => text),
    0,
  );
  return read?.length === words.length ? read.value : undefined;
}

/**
 * The condition on the rows of the scope.
 *
 * @throws NotUnderstood where the words behind are more than conditions.
 */
export function bridgeCondition(
  { link, compare, further }: Bridge,
  scope: Scope,
  links: readonly Link[],
  useful: Usefulness,
): Reading & { readonly condition: Sql } {
  const inner = scopeOf(link.from, links, scope.dialect, useful, link.to);
  const items: Item[] = [];
  readItems(further, inner, items);
  const reading = new Reading(inner, items);
  takeConditions(reading);
  if (reading.items.length > 0 || reading.having) throw doesNotFit();
  const pairs = link.columns.map((name, i) => {
    const own = inner.root.columns.find((column) => column.name === name && !column.json)!;
    const other = scope.root.columns.find((column) => column.name === link.references[i] && !column.json)!;
    return sql`${own} = ${other}`;
  });
  const where = [join(pairs, ' AND '), ...reading.where];
  const isNone = compare.op === '=' && compare.value === 0;
  const condition = isNone
    ? sql`NOT EXISTS ${{ t: 'subquery', select: sql`1`, where, root: inner.root }}`
    : sql`${{ t: 'subquery', select: sql`count(*)`, where, root: inner.root }} ${compare.op} ${compare.value}`;
  return Object.assign(reading, { condition });
}
