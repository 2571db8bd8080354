import { InvalidRequestError } from '@app/contract';
import { existsSync, writeFileSync } from 'node:fs';

const kept: unknown[] = [];

const deeds: Record<string, (payload: any) => unknown> = {
  pid: () => process.pid,
  echo: (payload) => payload,
  environment: () => ({ ...process.env }),
  exit: () => process.exit(3),
  killItself: () => process.kill(process.pid, 'SIGKILL'),
  refuse: () => {
    throw new InvalidRequestError('unsupported_file: no', { code: 'ODD', errorCode: 'odd' });
  },
  fail: () => {
    throw new RangeError('out of range');
  },
  fill: ({ message, code }) => {
    throw Object.assign(new Error(message), code && { code });
  },
  spin: () => {
    for (;;);
  },
  /** Until the process has had so much of the processor. */
  compute({ ms }) {
    const start = process.cpuUsage();
    for (;;) {
      const { user, system } = process.cpuUsage(start);
      if ((user + system) / 1000 >= ms) return (user + system) / 1000;
    }
  },
  async sleep({ ms }) {
    const start = Date.now();
    await new Promise((resolve) => setTimeout(resolve, ms));
    return [start, Date.now()];
  },
  /** Leaves a file when it begins; who finds it there ends. */
  async endTheSecondTime({ begun }) {
    if (existsSync(begun)) return 'ended';
    writeFileSync(begun, '');
    await new Promise((resolve) => setTimeout(resolve, 2 ** 30));
  },
  async buffers() {
    for (;;) {
      kept.push(Buffer.alloc(20 * 2 ** 20, 1));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  },
  heap() {
    for (;;) kept.push(Array.from({ length: 1000 }, (_, i) => ({ i })));
  },
};

/** What the specs of ChildPool let a child do. */
export const handle = (payload: { do: string }): unknown => deeds[payload.do]!(payload);
