import { barLine, ProgressDisplay } from './progress';

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

describe('Elsewhere than on a terminal', () => {
  let said: string[];
  let display: ProgressDisplay;

  beforeEach(() => {
    jest.useFakeTimers();
    said = [];
    const write = (text: string) => said.push(text) > 0;
    display = new ProgressDisplay({ isTTY: false, columns: 80, write } as never);
  });
  afterEach(() => jest.useRealTimers());

  it('it is said at once what there is to do, and each file that is done', () => {
    display.show({ ...progress, bytes: 3 * 1024 * 1024 });
    display.show(progress, { path: 'a.csv', status: 'ingested', chunks: 2 });
    expect(said).toEqual(['10 files, 3.0 MB\n', 'ingested  a.csv (2 chunks)\n']);
  });

  it('it is said again and again that it is at work, while no file is done that is worth a line', () => {
    const now = { ...progress, doneFiles: 0 };
    display.show(now);
    jest.advanceTimersByTime(10_000);
    now.doneFiles = 4;
    display.show(now, { path: 'a.csv', status: 'unchanged' });
    jest.advanceTimersByTime(10_000);
    expect(said.slice(1)).toEqual([
      expect.stringMatching(/^at work {3}0\/10 files done in \d+:\d\d\n$/),
      expect.stringMatching(/^at work {3}4\/10 files done in /),
    ]);
  });

  it('nothing is said any more once it is over', () => {
    display.show(progress);
    display.clear();
    jest.advanceTimersByTime(60_000);
    expect(said).toHaveLength(1);
  });
});
