import { barLine } from './progress';

const progress = { files: 10, doneFiles: 4, bytes: 1000, doneBytes: 250, chunks: 1204 };

describe('The progress bar', () => {
  it('shows files, chunks, rate and the time that the rest will take', () => {
    expect(barLine(progress, 20)).toBe('[████████░░░░░░░░░░░░░░░░] 4/10 files  1,204 chunks  0.2 files/s  0:42 left');
  });

  it('is full at the end', () => {
    expect(barLine({ ...progress, doneFiles: 10, doneBytes: 1000 }, 20)).toContain(`[${'█'.repeat(24)}] 10/10 files`);
  });

  it('guesses no time before anything is done, and survives a folder of empty files', () => {
    expect(barLine({ ...progress, doneFiles: 0, doneBytes: 0 }, 0)).not.toContain('left');
    expect(barLine({ ...progress, bytes: 0, doneBytes: 0 }, 1)).toMatch(/4\/10 files.*0:04 left/);
  });
});
