import { shown } from './cell';
import { ColumnEvidence } from './column-evidence';
import { sheetCell } from './sheet-cells';

describe('a cell of a sheet in percent', () => {
  const cell = (v: number, z: string) => sheetCell({ t: 'n', v, z }, { from1904: false });

  it.each([
    [0.25, '0%', '25%'],
    [0.07, '0.00%', '7%'],
    [-0.125, '0.0%', '-12.5%'],
    [1, '0%', '100%'],
    [0.0005, '0.00%', '0.05%'],
    [0.25, '0.00', '0.25'],
    [0.25, '0.00"%"', '0.25'],
  ])('keeps %d in the format %s as it is shown', (value, format, text) => {
    expect(shown(cell(value, format))).toBe(text);
  });

  it('tells its column the unit', () => {
    const evidence = new ColumnEvidence();
    evidence.add(cell(0.25, '0%'), 2);
    evidence.add(cell(0.5, '0%'), 3);
    const { numbers } = evidence.settle();
    expect([...numbers.units]).toEqual([['%', 2]]);
    expect(numbers.byDot.fraction).toBe(2);
  });
});

it('tells a formula that was saved without its result', () => {
  const stub = { t: 'z', v: 0, f: 'A2*2' } as const;
  expect(sheetCell(stub, { from1904: false })).toBe('\x05=A2*2');
  expect(sheetCell({ t: 'z' }, { from1904: false })).toBe('');
});
