import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';

/**
 * A process by more than its number, which the system gives away again: when it started, in whatever words the system
 * has for that. Undefined when there is no such process, or only its remains, which nobody has asked for yet.
 */
export function processStart(pid: number): string | undefined {
  if (process.platform !== 'linux') return ps(pid, 'lstart');
  const stat = readOrNothing(() => readFileSync(`/proc/${pid}/stat`, 'latin1'));
  // The second field is the command, in brackets and with whatever characters it likes.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
}

/** The words a process was started with, or undefined when there is none. */
export function commandLine(pid: number): readonly string[] | undefined {
  if (process.platform !== 'linux') return ps(pid, 'command')?.split(' ');
  return readOrNothing(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'))?.split('\0');
}

/** The folder a process works in, or undefined where that cannot be told. */
export function workingFolder(pid: number): string | undefined {
  return readOrNothing(() => readlinkSync(`/proc/${pid}/cwd`));
}

function ps(pid: number, field: string): string | undefined {
  return readOrNothing(() =>
    execFileSync('ps', ['-ww', '-o', `${field}=`, '-p', String(pid)], { encoding: 'utf8', timeout: 5000 }).trim(),
  );
}

function readOrNothing(read: () => string): string | undefined {
  try {
    return read() || undefined;
  } catch {
    return undefined;
  }
}
