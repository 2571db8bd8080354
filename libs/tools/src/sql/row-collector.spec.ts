import { RowCollector } from './row-collector';

const collected = (rows: readonly string[], limits: { rows?: number; bytes?: number; cell?: number }) => {
  const collector = new RowCollector({ rows: 100, bytes: 1000, cell: 100, ...limits });
  const taken = rows.map((text) => collector.add([text]));
  const { rows: kept, cutBy } = collector.result([{ name: 'x', type: 'VARCHAR' }]);
  return { taken, kept: kept.map(([text]) => text), cutBy };
};

describe('the rows of a result', () => {
  it('are as many as are allowed, and no more', () => {
    expect(collected(['a', 'b'], { rows: 2 })).toEqual({ taken: [true, true], kept: ['a', 'b'], cutBy: undefined });
    expect(collected(['a', 'b', 'c'], { rows: 2 })).toEqual({
      taken: [true, true, false],
      kept: ['a', 'b'],
      cutBy: 'rows',
    });
  });

  it('have as many bytes as are allowed as JSON, and no more', () => {
    expect(collected(['é'], { bytes: 6 })).toMatchObject({ taken: [true], cutBy: undefined });
    expect(collected(['é'], { bytes: 5 })).toEqual({ taken: [false], kept: [], cutBy: 'bytes' });
  });

  it('have texts as long as is allowed, and longer ones cut, never in the middle of a character', () => {
    expect(collected(['abc'], { cell: 3 })).toMatchObject({ kept: ['abc'], cutBy: undefined });
    expect(collected(['abcd'], { cell: 3 })).toEqual({ taken: [true], kept: ['abc…'], cutBy: 'cell' });
    expect(collected(['ab😀'], { cell: 3 }).kept).toEqual(['ab\ufffd…']);
  });
});
