import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { holdPort } from './ports';
import { tellSkipped } from './skipped';
import { clearLeftovers, throwAwayFolder } from './throw-away-folder';

const hasProc = existsSync('/proc/self/stat');
if (!hasProc) tellSkipped('what a run that was killed has left: there is no /proc');

(hasProc ? describe : describe.skip)('what a run that was killed has left', () => {
  let base: string;
  beforeAll(async () => {
    base = await mkdtemp(join(tmpdir(), 'left-'));
  });
  afterAll(() => rm(base, { recursive: true, force: true }));

  it('is ended and removed; what somebody still has is not', async () => {
    const ours = await throwAwayFolder(base, 'x');
    const left = join(base, `toolwright-x-${process.pid}-1-abcdef`);
    await mkdir(left);
    const [kept, orphan] = [ours, left].map((cwd) => spawn('sleep', ['1000'], { cwd }));
    await Promise.all([once(kept!, 'spawn'), once(orphan!, 'spawn')]);
    const ended = once(orphan!, 'exit');
    await clearLeftovers(base, 'x');
    expect(await ended).toEqual([null, 'SIGKILL']);
    expect([existsSync(ours), existsSync(left), kept!.exitCode, kept!.signalCode]).toEqual([true, false, null, null]);
    kept!.kill('SIGKILL');
    await once(kept!, 'exit');
  });
});

describe('a port that is held', () => {
  it('is free to listen on, once and again, and is given to nobody else meanwhile', async () => {
    const held = await Promise.all(Array.from({ length: 50 }, () => holdPort()));
    expect(new Set(held.map(({ port }) => port)).size).toBe(50);
    for (let times = 0; times < 2; times++) {
      const server = createServer().listen(held[0]!.port, '127.0.0.1');
      await once(server, 'listening');
      server.close();
      await once(server, 'close');
    }
    for (const { release } of held) release();
  });
});
