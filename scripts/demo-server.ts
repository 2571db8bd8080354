import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const READY_WITHIN_MS = 30_000;
const STOPPED_WITHIN_MS = 15_000;
const KEPT_OUTPUT = 8000;

/** Variables that a process needs to run at all; the settings of the person's own server stay out of the demo. */
const INHERITED = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'TZ', 'NODE_OPTIONS'];

/** The real server, as a process of its own on a free port, with its data in a folder that goes away with it. */
export class DemoServer {
  private output = '';
  private address?: string;
  private readonly exited: Promise<void>;

  private constructor(
    readonly folder: string,
    private readonly child: ChildProcess,
  ) {
    const keep = (text: Buffer) => {
      this.output = (this.output + text.toString()).slice(-KEPT_OUTPUT);
      this.address ??= /is ready at (http:\S+)/.exec(this.output)?.[1];
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    this.exited = new Promise((resolve) => {
      child.once('exit', () => resolve());
      child.once('error', () => resolve());
    });
  }

  /** Resolves once it is ready. @throws Error with the server's last words if it does not get there. */
  static async start(signal: AbortSignal, settings: Readonly<Record<string, string>> = {}): Promise<DemoServer> {
    const folder = await mkdtemp(join(tmpdir(), 'toolwright-demo-'));
    const child = spawn(process.execPath, [join(__dirname, '../apps/api/src/main.js')], {
      // Away from the person's own `.env`.
      cwd: folder,
      env: {
        ...Object.fromEntries(INHERITED.map((name) => [name, process.env[name]])),
        HOST: '127.0.0.1',
        PORT: '0',
        DATA_DIR: join(folder, 'data'),
        LOG_LEVEL: 'warn',
        MODEL_DISCOVERY: 'off',
        ...settings,
      },
      // In a group of its own, so that Ctrl-C reaches it once and through us.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const server = new DemoServer(folder, child);
    try {
      await server.becomeReady(signal);
      return server;
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  get url(): string {
    return this.address ?? '';
  }

  /** Stops the server, and its PostgreSQL with it, and removes the folder. */
  async stop(): Promise<void> {
    if (this.isRunning) this.child.kill('SIGTERM');
    const stopped = await Promise.race([this.exited.then(() => true), wait(STOPPED_WITHIN_MS, false, { ref: false })]);
    if (!stopped) this.child.kill('SIGKILL');
    await this.exited;
    await rm(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }

  private get isRunning(): boolean {
    return this.child.pid !== undefined && this.child.exitCode === null && this.child.signalCode === null;
  }

  private async becomeReady(signal: AbortSignal): Promise<void> {
    const late = Date.now() + READY_WITHIN_MS;
    while (this.isRunning && Date.now() < late) {
      if (this.address) return;
      await wait(20, undefined, { signal });
    }
    throw new Error(`The server did not start. It said:\n${this.output.trim() || '(nothing)'}`);
  }
}
