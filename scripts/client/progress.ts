/**
 * Shows how an ingest goes on: a bar that redraws itself on a terminal; elsewhere a line for each file, and one now and
 * then while none is done.
 */
import { printable } from './answer';
import type { FileOutcome, FolderProgress } from './ingest-folder';

const REDRAW_MS = 100;
/** How long it may say nothing, elsewhere than on a terminal. */
const SILENCE_MS = 10_000;
const BAR_WIDTH = 24;

export class ProgressDisplay {
  private readonly startedAt = performance.now();
  private drawnAt = -Infinity;
  private silence: NodeJS.Timeout | undefined;

  constructor(private readonly out: Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'write'>) {}

  show(progress: FolderProgress, outcome?: FileOutcome): void {
    if (!this.out.isTTY) return this.tell(progress, outcome);
    if (outcome?.status === 'failed') {
      this.clear();
      this.out.write(`${lineFor(outcome)}\n`);
    }
    const last = progress.doneFiles === progress.files;
    if (!last && performance.now() - this.drawnAt < REDRAW_MS) return;
    this.drawnAt = performance.now();
    this.clear();
    this.out.write(barLine(progress, this.seconds).slice(0, (this.out.columns || 80) - 1));
  }

  /** Takes the bar away; nothing more is said unasked. */
  clear(): void {
    clearTimeout(this.silence);
    if (this.out.isTTY) this.out.write('\r\x1b[2K');
  }

  private tell(progress: FolderProgress, outcome?: FileOutcome): void {
    const line = outcome ? lineFor(outcome) : `${counted(progress.files, 'file')}, ${megabytes(progress.bytes)}`;
    if (line === '') return;
    this.say(line, progress);
  }

  private say(line: string, progress: FolderProgress): void {
    this.out.write(`${line}\n`);
    clearTimeout(this.silence);
    const atWork = () => {
      const { doneFiles, files } = progress;
      this.say(`at work   ${grouped(doneFiles)}/${counted(files, 'file')} done in ${clock(this.seconds)}`, progress);
    };
    this.silence = setTimeout(atWork, SILENCE_MS).unref();
  }

  get seconds(): number {
    return (performance.now() - this.startedAt) / 1000;
  }
}

/**
 * One line of a bar. How far it is lies between the share of files and that of bytes: a large file may be done at once,
 * as one that is refused, and a small one may take long.
 */
export function barLine(progress: FolderProgress, seconds: number): string {
  const { files, doneFiles, bytes, doneBytes, chunks } = progress;
  const share = (doneFiles / Math.max(files, 1) + doneBytes / Math.max(bytes, 1)) / 2;
  const full = Math.round(share * BAR_WIDTH);
  const left = doneFiles > 0 ? (seconds / share) * (1 - share) : undefined;
  return [
    `[${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)}] ${doneFiles}/${files} files`,
    `${grouped(chunks)} chunks`,
    `${(doneFiles / Math.max(seconds, 0.001)).toFixed(1)} files/s`,
    left === undefined ? '' : `${clock(left)} left`,
  ].join('  ');
}

/** Nothing for an unchanged file: a second run over a large folder should be short to read. */
function lineFor({ path, status, chunks, reason }: FileOutcome): string {
  if (status === 'unchanged') return '';
  if (status === 'failed') return `failed    ${printable(path)}: ${printable(reason ?? '')}`;
  return `ingested  ${printable(path)}${chunks === undefined ? '' : ` (${counted(chunks, 'chunk')})`}`;
}

export const grouped = (count: number) => count.toLocaleString('en-US');

/** `1 chunk`, `1,204 chunks`. */
export const counted = (count: number, thing: string) => `${grouped(count)} ${thing}${count === 1 ? '' : 's'}`;

const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`;

function clock(seconds: number): string {
  const whole = Math.ceil(seconds);
  const minutes = Math.floor(whole / 60);
  return `${minutes}:${String(whole % 60).padStart(2, '0')}`;
}
