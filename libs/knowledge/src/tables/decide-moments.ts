import { markOf } from './cell';
import type { ColumnEvidence } from './column-evidence';
import { count, given, quote, type ColumnPlan, type Conventions } from './column-plan';
import { isoDate, readMoment, type MomentReading } from './read-moment';

/** Dates, times or durations; undefined where they are not all of one kind, or contradict each other. */
export function decideMoments(evidence: ColumnEvidence, conventions: Conventions): ColumnPlan | undefined {
  const { kinds, count: all } = evidence.moments;
  if (kinds.time + kinds.duration === all) return decideTimes(evidence);
  if (kinds.date + kinds.timestamp === all) return decideDates(evidence, conventions);
  return undefined;
}

function decideTimes({ moments, typed }: ColumnEvidence): ColumnPlan {
  const isDuration = moments.kinds.duration > 0 || typed.duration > 0;
  return {
    type: isDuration ? 'INTERVAL' : 'TIME',
    decision: isDuration ? 'durations in hours, minutes and seconds' : 'times of day',
    evidence: isDuration
      ? `${count(moments.kinds.duration || typed.duration, 'of the values', 'of the values')} are durations or longer than a day`
      : `all ${count(moments.count, 'value')} are times on a clock`,
    warnings: moments.fraction > 6 ? ['fractions of a second are cut to six digits'] : [],
    write: (cell) => given(cell, (text) => readMoment(text)?.time),
  };
}

function decideDates(evidence: ColumnEvidence, conventions: Conventions): ColumnPlan | undefined {
  const { moments } = evidence;
  const order = orderOf(evidence, conventions);
  if (!order) return undefined;
  const { dayFirst, why, doubtful } = order;
  const hasTime = moments.kinds.timestamp > 0;
  const zones = [...moments.offsets];
  const toUtc = zones.length > 1;
  const [offset] = zones;
  const warnings = [
    ...(doubtful ? [doubtful] : []),
    ...(moments.shortYears > 0 ? ['years of two digits lie between 1969 and 2068'] : []),
    ...(toUtc ? ['times are of different zones; all are stored as UTC, those without a zone as they are'] : []),
    ...(!toUtc && offset !== undefined ? [`all times are ${zoneName(offset)}`] : []),
    ...(hasTime && moments.kinds.date > 0
      ? [`${count(moments.kinds.date, 'value has', 'values have')} no time and got 00:00`]
      : []),
  ];
  return {
    type: !hasTime ? 'DATE' : moments.fraction > 6 ? 'TIMESTAMP_NS' : 'TIMESTAMP',
    decision: `${hasTime ? 'dates with times' : 'dates'}${why.order ? `, ${why.order}` : ''}`,
    evidence: `all ${count(moments.count, 'value')} are calendar days${why.proof ? `; ${why.proof}` : ''}`,
    warnings,
    reading: { dayFirst },
    write: (cell) =>
      given(cell, (text) => {
        const moment = readMoment(text);
        return moment && written(moment, markOf(cell) ? undefined : dayFirst, hasTime, toUtc);
      }),
  };
}

function written(moment: MomentReading, dayFirst: boolean | undefined, hasTime: boolean, toUtc: boolean): string {
  const { first = 0, second = 0, year = 0 } = moment;
  const date = moment.date ?? isoDate({ year, month: dayFirst ? second : first, day: dayFirst ? first : second });
  if (!hasTime) return date;
  const time = moment.time ?? '00:00:00';
  if (!toUtc || !moment.offset) return `${date} ${time}`;
  const [clock = '', fraction] = time.split('.');
  const utc = new Date(Date.parse(`${date}T${clock}Z`) - moment.offset * 60_000).toISOString().slice(0, 19);
  return `${utc.replace('T', ' ')}${fraction ? `.${fraction}` : ''}`;
}

interface Order {
  readonly dayFirst: boolean;
  readonly why: { readonly order?: string; readonly proof?: string };
  readonly doubtful?: string;
}

/** Which of day and month comes first; undefined where the column says both. */
function orderOf({ moments, momentExamples }: ColumnEvidence, conventions: Conventions): Order | undefined {
  if (moments.yearLast === 0) return { dayFirst: true, why: {} };
  const canDay = moments.notDayFirst === 0;
  const canMonth = moments.notMonthFirst === 0;
  if (!canDay && !canMonth) return undefined;
  if (!canDay || !canMonth) {
    const [over, name] = canDay ? [moments.firstOver12, 'first'] : [moments.secondOver12, 'second'];
    return order(canDay, `the ${name} number is over 12 in ${count(over, 'value')}`);
  }
  const { firsts, seconds, separators } = moments;
  if (firsts.size === 1 && firsts.has(1) && seconds.size > 2)
    return order(true, 'the first number is always 1: the first of each month');
  if (seconds.size === 1 && seconds.has(1) && firsts.size > 2)
    return order(false, 'the second number is always 1: the first of each month');
  if (conventions.dayFirst !== undefined) {
    return order(conventions.dayFirst, 'other dates of the file show the order', doubt(conventions.dayFirst));
  }
  if (separators.has('.')) return order(true, 'dates with points are written so', doubt(true));
  if (conventions.notAmerican) return order(true, 'the words and numbers around are not American', doubt(true));
  return order(true, 'nothing in the file shows the order', doubt(true));

  function doubt(dayFirst: boolean): string {
    const value = momentExamples.find((each) => /^\d{1,2}\D\d{1,2}\D/.test(each.value))?.value ?? '';
    return `${quote(value)} and the like could be day first or month first; they were read ${dayFirst ? 'day' : 'month'} first`;
  }
}

const order = (dayFirst: boolean, proof: string, doubtful?: string): Order => ({
  dayFirst,
  why: { order: dayFirst ? 'day first' : 'month first', proof },
  ...(doubtful && { doubtful }),
});

/** The order that a column proves by itself. */
export function provenDayFirst({ moments }: ColumnEvidence): boolean | undefined {
  if (moments.yearLast === 0 || (moments.notDayFirst === 0) === (moments.notMonthFirst === 0)) return undefined;
  return moments.notDayFirst === 0;
}

function zoneName(offset: number): string {
  if (offset === 0) return 'UTC';
  const minutes = Math.abs(offset);
  return `UTC${offset < 0 ? '-' : '+'}${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
}
