import { CitationMarks } from './citation-marks';

const tag = (index: number) =>
  `<citation id='GONG' index='${index}' artifact_id='contract' source_id='chunk-${index}'></citation>`;

const shownInPieces = (text: string, size: number) => {
  const marks = new CitationMarks();
  let shown = '';
  for (let start = 0; start < text.length; start += size) shown += marks.push(text.slice(start, start + size));
  return shown + marks.end();
};

describe('Citation tags in a streamed text', () => {
  it.each([1, 2, 7, 40, 1000])('become numbers when the text comes in pieces of %i', (size) => {
    const text = `27 days.${tag(0)} 1 < 2, and <cite> stays. ${tag(1)}${tag(0)}`;
    expect(shownInPieces(text, size)).toBe('27 days.[1] 1 < 2, and <cite> stays. [2][1]');
  });

  it('say which passage each number stands for', () => {
    const marks = new CitationMarks();
    marks.push(`a${tag(0)}b${tag(4)}`);
    expect([...marks.cited]).toEqual([
      [1, { artifact_id: 'contract', source_id: 'chunk-0' }],
      [5, { artifact_id: 'contract', source_id: 'chunk-4' }],
    ]);
  });

  it('hold back no text that cannot become a tag', () => {
    const marks = new CitationMarks();
    expect(marks.push('if a <')).toBe('if a ');
    expect(marks.push(' b')).toBe('< b');
  });

  it('are let through as text when they never end', () => {
    const text = `<citation ${'x'.repeat(5000)}`;
    expect(shownInPieces(text, 100)).toBe(text);
  });
});
