import { isDay, readMoment } from './read-moment';

const dated = (text: string) => {
  const { kind, date, time, offset } = readMoment(text) ?? {};
  return [kind, date, time, offset].filter((part) => part !== undefined).join(' ');
};

describe('a date or a time as people write it', () => {
  it.each([
    ['2024-01-31', 'date 2024-01-31'],
    ['2024/1/5', 'date 2024-01-05'],
    ['0001-01-01', 'date 0001-01-01'],
    ['2024-02-29', 'date 2024-02-29'],
    ['31 January 2024', 'date 2024-01-31'],
    ['January 31, 2024', 'date 2024-01-31'],
    ['Jan 31 2024', 'date 2024-01-31'],
    ['31 de enero de 2024', 'date 2024-01-31'],
    ['lunes, 5 de agosto de 2024', 'date 2024-08-05'],
    ['3. März 2024', 'date 2024-03-03'],
    ['1-Sep-68', 'date 2068-09-01'],
    ['1-Sep-69', 'date 1969-09-01'],
    ['2024-01-31T13:05:00', 'timestamp 2024-01-31 13:05:00'],
    ['2024-01-31 13:05', 'timestamp 2024-01-31 13:05:00'],
    ['2024-01-31 13:05:00.25', 'timestamp 2024-01-31 13:05:00.25'],
    ['2024-01-31T13:05:00Z', 'timestamp 2024-01-31 13:05:00 0'],
    ['2024-01-31T13:05:00+05:30', 'timestamp 2024-01-31 13:05:00 330'],
    ['2024-01-31T13:05:00-0200', 'timestamp 2024-01-31 13:05:00 -120'],
    ['2024-01-31 12:05 am', 'timestamp 2024-01-31 00:05:00'],
    ['2024-01-31 12:05 pm', 'timestamp 2024-01-31 12:05:00'],
    ['2024-01-31 1:05 p.m.', 'timestamp 2024-01-31 13:05:00'],
    ['9:30', 'time 09:30:00'],
    ['23:59:59', 'time 23:59:59'],
    ['26:30:00', 'duration 26:30:00'],
    ['100:00:00,5', 'duration 100:00:00.5'],
  ])('%s is %s', (text, meaning) => expect(dated(text)).toBe(meaning));

  it.each([
    [
      'days that no calendar has',
      ['2023-02-29', '1900-02-29', '2024-04-31', '2024-13-01', '0000-01-01', '31 June 2024'],
    ],
    ['numbers of which none can be the month', ['13/13/2024', '32/01/2024', '00/01/2024']],
    [
      'times that no clock shows',
      ['2024-01-31 24:00', '24:00', '12:60', '2024-01-31 12:00:60', '2024-01-31 13:05 pm', '2024-01-31 0:05 am'],
    ],
    ['durations of 60 minutes or seconds', ['30:60:00', '30:00:60']],
    ['months in no known language', ['31 Foo 2024']],
    ['other texts', ['', '12', '2024', '2024-01', '1/2', '2024-01/31', 'today', '10.1.2.3', '1-2-345']],
  ])('%s make none', (_, texts) => expect(texts.filter((text) => readMoment(text))).toEqual([]));

  it('leaves the order of day and month to the column where the year comes last', () => {
    expect(readMoment('05/04/2024')).toMatchObject({ kind: 'date', first: 5, second: 4, year: 2024, separator: '/' });
    expect(readMoment('5.4.24')).toMatchObject({ first: 5, second: 4, year: 2024, shortYear: true });
    expect(readMoment('31/12/2024 8:05')).toMatchObject({ kind: 'timestamp', first: 31, second: 12, time: '08:05:00' });
  });
});

describe('a day', () => {
  it('is one by the Gregorian calendar, in every century', () => {
    expect(isDay({ year: 2000, month: 2, day: 29 })).toBe(true);
    expect(isDay({ year: 4, month: 2, day: 29 })).toBe(true);
    expect(isDay({ year: 1900, month: 2, day: 29 })).toBe(false);
    expect(isDay({ year: 0, month: 1, day: 1 })).toBe(false);
  });
});
