import { marked } from './cell';
import { ColumnEvidence } from './column-evidence';
import { conventionsOf } from './conventions';
import type { Conventions } from './column-plan';
import { decideColumn } from './decide-column';
import type { TableInput } from './table-input';

const evidenceOf = (cells: readonly string[]): ColumnEvidence => {
  const evidence = new ColumnEvidence();
  cells.forEach((cell, at) => evidence.add(cell, at + 2));
  return evidence.settle();
};

/** The column's type, with what is written of each of its cells. */
const decided = (cells: readonly string[], header = 'x', conventions: Conventions = {}) => {
  const plan = decideColumn(evidenceOf(cells), header, conventions);
  return { ...plan, written: cells.map((cell) => plan.write(cell)) };
};
const typeOf = (cells: readonly string[], header?: string) => decided(cells, header).type;
const nines = (count: number) => '9'.repeat(count);

describe('a column of numbers', () => {
  it.each<[string, string[], string]>([
    ['whole numbers of 18 digits', ['1', nines(18)], 'BIGINT'],
    ['whole numbers of 19 digits', ['1', nines(19)], 'DECIMAL(38,0)'],
    ['whole numbers of 38 digits', ['1', nines(38)], 'DECIMAL(38,0)'],
    ['whole numbers of 39 digits', ['1', nines(39)], 'VARCHAR'],
    ['decimals of 18 digits in all', [`${nines(16)}.25`], 'DECIMAL(18,2)'],
    ['decimals of 19 digits in all', [`${nines(17)}.25`], 'DECIMAL(38,2)'],
    ['decimals that together need more than 38 digits', [nines(30), `0.${nines(9)}`], 'VARCHAR'],
    ['twelve decimals', ['0.123456789012'], 'DECIMAL(18,12)'],
    ['thirteen decimals that a float keeps', ['0.1234567890123'], 'DOUBLE'],
    ['more decimals than a float keeps', [`0.${'123456789'.repeat(3)}`], 'DECIMAL(38,27)'],
    ['an exponent with a decimal sign', ['1.5e3', '2'], 'DOUBLE'],
    ['codes with an E between digits', ['12E4', '55E1'], 'VARCHAR'],
    ['a zero in front', ['007', '12'], 'VARCHAR'],
    ['two currencies', ['5 €', '5 $'], 'VARCHAR'],
    ['percentages beside plain numbers', ['25 %', '3'], 'VARCHAR'],
    ['both decimal signs', ['1.5', '1,5'], 'VARCHAR'],
    ['either sign with three digits behind', ['1.500', '1,500'], 'VARCHAR'],
  ])('with %s has a type that loses nothing', (_, cells, type) => expect(typeOf(cells)).toBe(type));

  it.each<[string, string[], string, string]>([
    ['under a header that speaks of such codes', ['28001', '8001'], 'Código postal', 'VARCHAR'],
    ['of one length from ten digits on under a header for identifiers', ['1234567890', '1234567891'], 'id', 'VARCHAR'],
    ['of nine digits under a header for identifiers', ['123456789', '123456788'], 'id', 'BIGINT'],
    ['of several lengths under a header for identifiers', ['1234567890', '12345678901'], 'id', 'BIGINT'],
    ['with a plus sign from nine digits on', ['+34600123456', '+34600123457'], 'x', 'VARCHAR'],
    ['with a plus sign and few digits', ['+5', '-3'], 'x', 'BIGINT'],
    ['in groups of three, all of nine digits', ['600 123 456', '600 123 457'], 'x', 'VARCHAR'],
    ['in groups of three, of any length', ['600 123 456', '1 234'], 'x', 'BIGINT'],
  ])('%s is told from codes', (_, cells, header, type) => expect(typeOf(cells, header)).toBe(type));

  it('is read by the decimal sign that a value proves', () => {
    expect(decided(['1.234,5', '1.234'])).toMatchObject({ type: 'DECIMAL(18,1)', written: ['1234.5', '1234'] });
    expect(decided(['1,234.5', '1,234'])).toMatchObject({ type: 'DECIMAL(18,1)', written: ['1234.5', '1234'] });
  });

  it('says which value it doubted where none proves it, and follows the rest of the file', () => {
    const alone = decided(['1.234', '5']);
    expect(alone).toMatchObject({ type: 'DECIMAL(18,3)', written: ['1.234', '5'] });
    expect(alone.warnings.join()).toContain('“1.234” was read as a number that has three decimals');
    expect(decided(['1.234', '5'], 'x', { decimal: ',' })).toMatchObject({ written: ['1234', '5'], warnings: [] });
    expect(decided(['1.234'], 'x', { semicolons: true }).warnings.join()).toContain('is in the thousands');
    // Percentages have decimals more often than thousands.
    expect(decided(['1,234 %']).written).toEqual(['0.01234']);
  });

  it('tells how many numbers lack the unit of the others, and which were text in a sheet', () => {
    expect(decided(['5 €', '6', '7']).warnings).toEqual(['2 values of 3 without € were taken as € too']);
    expect(decided([marked('number', '5'), '6']).warnings).toEqual([
      '1 number stored as text in the sheet was read as a number',
    ]);
  });

  it('has NULL for blanks, errors of a sheet and signs for a missing value', () => {
    expect(decided(['5', '', ' ', 'NA', '-', marked('error', '#N/A')]).written).toEqual([
      '5',
      ...Array(5).fill(undefined),
    ]);
  });
});

describe('a column of dates and times', () => {
  it('has the order of day and month that a value proves', () => {
    expect(decided(['05/04/2024', '31/12/2024']).written).toEqual(['2024-04-05', '2024-12-31']);
    expect(decided(['05/04/2024', '12/31/2024']).written).toEqual(['2024-05-04', '2024-12-31']);
    expect(typeOf(['31/12/2024', '12/31/2024'])).toBe('VARCHAR');
  });

  it('takes what is always 1 for the first of each month', () => {
    expect(decided(['01/02/2024', '01/03/2024', '01/04/2024'])).toMatchObject({
      written: ['2024-02-01', '2024-03-01', '2024-04-01'],
      warnings: [],
    });
    expect(decided(['02/01/2024', '03/01/2024', '04/01/2024'])).toMatchObject({
      written: ['2024-02-01', '2024-03-01', '2024-04-01'],
      warnings: [],
    });
  });

  it('has the day first where nothing proves it, and says so, unless other dates of the file do', () => {
    const open = decided(['05/04/2024', '06/07/2024']);
    expect(open.written[0]).toBe('2024-04-05');
    expect(open.warnings.join()).toContain('“05/04/2024” and the like could be day first or month first');
    expect(decided(['05/04/2024', '06/07/2024'], 'x', { dayFirst: false }).written[0]).toBe('2024-05-04');
  });

  it('is UTC where the zones differ, and keeps the times of one zone', () => {
    const differ = decided(['2024-01-31T23:30:00-01:00', '2024-01-31T00:30:00+01:00', '2024-01-31T12:00:00Z']);
    expect(differ.type).toBe('TIMESTAMP');
    expect(differ.written).toEqual(['2024-02-01 00:30:00', '2024-01-30 23:30:00', '2024-01-31 12:00:00']);
    expect(decided(['2024-01-31T23:30:00+02:00'])).toMatchObject({
      written: ['2024-01-31 23:30:00'],
      warnings: ['all times are UTC+2:00'],
    });
  });

  it('has nanoseconds from the seventh digit of a fraction on, and says where times lose them', () => {
    expect(typeOf(['2024-01-31 12:00:00.123456'])).toBe('TIMESTAMP');
    expect(typeOf(['2024-01-31 12:00:00.1234567'])).toBe('TIMESTAMP_NS');
    expect(decided(['12:00:00.1234567'])).toMatchObject({
      type: 'TIME',
      warnings: ['fractions of a second are cut to six digits'],
    });
    expect(decided(['12:00:00.123456']).warnings).toEqual([]);
  });

  it('is one of durations as soon as one is longer than a day', () => {
    expect(typeOf(['12:00:00', '23:59:59'])).toBe('TIME');
    expect(typeOf(['12:00:00', '24:00:00'])).toBe('INTERVAL');
  });

  it('is one of eight digits only under a header that speaks of dates', () => {
    expect(decided(['20240131', '20240201'], 'order date')).toMatchObject({
      type: 'DATE',
      written: ['2024-01-31', '2024-02-01'],
    });
    expect(typeOf(['20240131', '20240201'], 'amount')).toBe('BIGINT');
    expect(typeOf(['20240131', '20241301'], 'order date')).toBe('BIGINT');
  });
});

describe('a column of words', () => {
  it('is one of truth values where both are there, or where one says by itself what it is', () => {
    expect(decided(['Yes', 'no', 'YES '])).toMatchObject({ type: 'BOOLEAN', written: ['true', 'false', 'true'] });
    expect(decided(['sí', 'no'])).toMatchObject({ type: 'BOOLEAN', written: ['true', 'false'] });
    expect(typeOf(['true', 'true'])).toBe('BOOLEAN');
    for (const cells of [['yes'], ['no', 'no'], ['yes', 'nein'], ['yes', 'no', 'maybe']])
      expect(typeOf(cells)).toBe('VARCHAR');
  });

  it('keeps what may stand for a missing value, and says so', () => {
    const { written, warnings } = decided(['Spain', 'NA', '']);
    expect(written).toEqual(['Spain', 'NA', undefined]);
    expect(warnings).toEqual(['kept as text although it may mean that there is no value: “NA” (1)']);
  });

  it('names what kept it from being numbers, from four in five on', () => {
    expect(decided(['1', '2', '3', '4', 'five']).warnings).toEqual([
      '4 of 5 values are numbers; the column is text because of the others: “five” (row 6)',
    ]);
    expect(decided(['1', '2', '3', 'four']).warnings).toEqual([]);
  });
});

describe('what columns show of the others of their file', () => {
  const shown = (columns: string[][], names: string[] = [], semicolons = false) =>
    conventionsOf(columns.map(evidenceOf), names, { semicolons } as TableInput);

  it('is their decimal sign and their order of dates, unless they contradict each other', () => {
    expect(shown([['1,5'], ['31/12/2024']])).toMatchObject({ decimal: ',', dayFirst: true, notAmerican: true });
    expect(shown([['1,5'], ['1.5']])).not.toHaveProperty('decimal');
    expect(shown([['31/12/2024'], ['12/31/2024']])).not.toHaveProperty('dayFirst');
  });

  it('is nothing of a column that has other texts, too', () => {
    expect(shown([['1,5', 'many']])).not.toHaveProperty('decimal');
  });

  it('is that months do not come first where words or semicolons are not American', () => {
    expect(shown([['a']], ['Fecha']).notAmerican).toBe(true);
    expect(shown([['a']], ['date'], true)).toMatchObject({ notAmerican: true, semicolons: true });
    expect(shown([['a']], ['date']).notAmerican).toBe(false);
  });
});
