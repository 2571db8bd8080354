import { fork, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { endsWithParent } from './parent-death';
import { TaskCrashedError, TaskTimeoutError } from './task-errors';
import { toError, type Job, type Outcome, type Started } from './wire';

/** Whatever else our environment holds stays with us. */
const ENVIRONMENT = ['PATH', 'NODE_OPTIONS', 'TZ', 'LANG', 'LC_ALL', 'TMPDIR'];
const WATCH_MS = 100;
/** Of the clock that Linux counts processor time by, wherever it shows it. */
const TICK_MS = 10;

/** Signals by which others end a process; the rest come of what it does itself. */
const FROM_OUTSIDE: readonly (string | null)[] = ['SIGKILL', 'SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT'];

interface ChildLimits {
  readonly name: string;
  readonly task: string;
  readonly memoryMb: number;
  readonly cpuMs?: number;
}

/** One process of a ChildPool. Gives up its job, and itself, when it grows too big or uses too much of the processor. */
export class Child {
  /** Resolves once the process has ended. */
  readonly gone: Promise<void>;
  alive = true;
  /** Whether it has begun with the job that it was given last. */
  started = false;

  private readonly process: ChildProcess;
  private job?: { resolve: (value: unknown) => void; reject: (error: unknown) => void };
  private killedFor?: unknown;
  private idleTimer?: NodeJS.Timeout;
  /** What both clocks of the process showed when it began with its job. */
  private began = { cpuMs: 0, at: 0 };

  constructor(private readonly options: ChildLimits) {
    this.process = start(options);
    this.gone = new Promise((resolve) => {
      const end = (code: number | null, signal: NodeJS.Signals | null) => {
        this.alive = false;
        this.fail(this.killedFor ?? crash(options, code, signal));
        resolve();
      };
      this.process.once('exit', end);
      this.process.once('error', () => this.process.pid === undefined && end(null, null));
    });
    this.process.once('disconnect', () => (this.alive = false));
    this.process.on('message', (said: Outcome | Started) => {
      if (said.kind === 'started') this.begin(said);
      else this.finish(said);
    });
  }

  async run(payload: unknown): Promise<unknown> {
    clearTimeout(this.idleTimer);
    this.started = false;
    this.process.ref();
    this.process.channel?.ref();
    const watch = setInterval(() => void this.watch(), WATCH_MS);
    try {
      return await new Promise((resolve, reject) => {
        this.job = { resolve, reject };
        const job: Job = { payload };
        this.process.send(job, (error) => error && void this.kill(unreachable(this.options)));
      });
    } finally {
      clearInterval(watch);
      this.job = undefined;
    }
  }

  /** Ends the process unless it gets work before. Until then it does not keep ours alive. */
  endAfter(idleMs: number): void {
    this.idleTimer = setTimeout(() => {
      this.alive = false;
      this.process.disconnect();
    }, idleMs).unref();
    this.process.unref();
    this.process.channel?.unref();
  }

  /** Kills the process; its job fails with the reason at once. Resolves when the process is gone. */
  kill(reason: unknown): Promise<void> {
    this.alive = false;
    this.killedFor ??= reason;
    clearTimeout(this.idleTimer);
    this.process.ref();
    this.process.kill('SIGKILL');
    this.fail(this.killedFor);
    return this.gone;
  }

  private begin({ cpuMs }: Started): void {
    this.started = true;
    this.began = { cpuMs, at: performance.now() };
  }

  private finish(outcome: Outcome): void {
    if (outcome.kind === 'result') this.job?.resolve(outcome.value);
    else this.job?.reject(toError(outcome));
  }

  private fail(reason: unknown): void {
    this.job?.reject(reason);
  }

  private async watch(): Promise<void> {
    const { name, memoryMb, cpuMs } = this.options;
    const { job } = this;
    const tooBig = (await residentMb(this.process.pid)) > memoryMb;
    const tooLong = cpuMs !== undefined && this.started && (await this.usedMs()) > cpuMs;
    if (!job || job !== this.job) return;
    if (tooBig) await this.kill(new TaskCrashedError(name, 'memory', `it needed more than ${memoryMb} MiB of memory`));
    else if (tooLong) await this.kill(new TaskTimeoutError(name, cpuMs, 'of processor time'));
  }

  private async usedMs(): Promise<number> {
    const { cpuMs, at } = this.began;
    const now = await processorMs(this.process.pid);
    return now === undefined ? performance.now() - at : now - cpuMs;
  }
}

function start({ task, memoryMb }: { task: string; memoryMb: number }): ChildProcess {
  const node = [process.execPath, `--max-old-space-size=${Math.floor(memoryMb * 0.75)}`] as const;
  const { file, args } = endsWithParent({ file: node[0], args: node.slice(1) }, 'KILL');
  return fork(require.resolve('./child-main'), [task], {
    execPath: file,
    execArgv: [...args],
    serialization: 'advanced',
    env: Object.fromEntries(ENVIRONMENT.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

/** V8 aborts the process when its heap is full. */
function crash({ name }: { name: string }, code: number | null, signal: NodeJS.Signals | null): TaskCrashedError {
  if (signal === 'SIGABRT') return new TaskCrashedError(name, 'memory', 'its heap was full');
  const reason = FROM_OUTSIDE.includes(signal) ? 'killed' : 'exit';
  return new TaskCrashedError(name, reason, signal ? `signal ${signal}` : `exit code ${code}`);
}

const unreachable = ({ name }: { name: string }) => new TaskCrashedError(name, 'killed', 'it could not be reached');

/** Linux only; elsewhere the limit of the JavaScript heap has to do. */
async function residentMb(pid: number | undefined): Promise<number> {
  if (process.platform !== 'linux' || pid === undefined) return 0;
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024;
}

/** Linux only. Of all threads of the process; undefined where it cannot be known. */
async function processorMs(pid: number | undefined): Promise<number | undefined> {
  if (process.platform !== 'linux' || pid === undefined) return undefined;
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name of the program comes before, in brackets, and may hold anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system] = [Number(fields[11]), Number(fields[12])];
  return Number.isNaN(user + system) ? undefined : (user + system) * TICK_MS;
}
