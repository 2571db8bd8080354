/** What the built-in model says instead of a guess: what it did not understand, and what it can be asked. */
import type { Language } from '../language';
import type { DescribedTable, PlainColumn } from './described-table';
import type { NotUnderstood } from './items';

const MAX_TABLES = 3;
const MAX_NAMES = 6;

export function whatCanBeAsked(reason: NotUnderstood, tables: readonly DescribedTable[], language: Language): string {
  const say = language === 'es' ? SPANISH : ENGLISH;
  const shown = tables.slice(0, MAX_TABLES).map((table) => `- ${offer(table, say)}`);
  return [`${say.reason(reason)} ${say.family}`, ...shown].join('\n');
}

interface Words {
  reason(reason: NotUnderstood): string;
  readonly family: string;
  readonly rows: string;
  readonly sums: string;
  readonly groups: string;
  readonly values: string;
  readonly dates: string;
}

const ENGLISH: Words = {
  reason: ({ kind, word }) => {
    if (kind === 'word') return `I do not know what "${word}" means for these tables.`;
    if (kind === 'ambiguous') return `It is not clear what is meant: ${word}.`;
    if (kind === 'mixed')
      return `The numbers are not all in the same (${word}): ask for one of these, or "by" that column.`;
    return 'I cannot turn this question into a calculation that is surely the right one.';
  },
  family:
    'I am the built-in model, and can count, add up, average, find the lowest and highest, rank, group and filter. Ask for:',
  rows: 'the number of rows',
  sums: 'the total, average, minimum or maximum of',
  groups: 'by',
  values: 'only those with',
  dates: 'in a month or year, before or after a date of',
};

const SPANISH: Words = {
  reason: ({ kind, word }) => {
    if (kind === 'word') return `No sé qué significa «${word}» en estas tablas.`;
    if (kind === 'ambiguous') return `No está claro a qué se refiere: ${word}.`;
    if (kind === 'mixed')
      return `Los números no están todos en lo mismo (${word}): pregunte por uno de ellos, o «por» esa columna.`;
    return 'No puedo convertir esta pregunta en un cálculo que sea con seguridad el correcto.';
  },
  family:
    'Soy el modelo integrado: sé contar, sumar, hacer medias, buscar mínimos y máximos, ordenar, agrupar y filtrar. Pida:',
  rows: 'el número de filas',
  sums: 'el total, la media, el mínimo o el máximo de',
  groups: 'por',
  values: 'solo las que tienen',
  dates: 'en un mes o año, antes o después de una fecha de',
};

function offer({ spec: { name }, columns }: DescribedTable, say: Words): string {
  const called = (some: readonly PlainColumn[]) =>
    some
      .slice(0, MAX_NAMES)
      .map(({ spec }) => spec.original || spec.name)
      .join(', ');
  const quantities = columns.filter(({ kind, isIdentifier }) => kind === 'number' && !isIdentifier);
  const groups = columns.filter(({ kind, spec }) => (kind === 'text' && spec.values) || kind === 'boolean');
  const dates = columns.filter(({ kind }) => kind === 'date');
  const example = groups.flatMap(
    ({ spec }) => spec.values?.slice(0, 1).map(({ value }) => `${spec.original || spec.name} = ${value}`) ?? [],
  );
  const parts = [
    say.rows,
    quantities.length > 0 && `${say.sums} ${called(quantities)}`,
    groups.length > 0 && `${say.groups} ${called(groups)}`,
    example.length > 0 && `${say.values} ${example.slice(0, 3).join(', ')}`,
    dates.length > 0 && `${say.dates} ${called(dates)}`,
  ];
  return `${name}: ${parts.filter(Boolean).join('; ')}`;
}
