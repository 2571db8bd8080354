import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
}

/**
 * The command, wrapped so that the kernel sends it a signal when this process dies, however it dies.
 *
 * Needs `setpriv` (util-linux). Without it the command is returned as it is: whoever starts a process has to cope
 * with one that outlived its parent anyway.
 *
 * Spawn it from the main thread: the kernel watches the thread that forked, not the process.
 */
export function endsWithParent(command: Command, signal: 'INT' | 'KILL'): Command {
  const setpriv = findSetpriv();
  return setpriv ? { file: setpriv, args: ['--pdeathsig', signal, command.file, ...command.args] } : command;
}

let found: string | undefined | null = null;

function findSetpriv(): string | undefined {
  if (found === null) found = process.platform === 'linux' ? find('setpriv') : undefined;
  return found;
}

function find(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter).filter(Boolean), '/usr/bin', '/bin'];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
