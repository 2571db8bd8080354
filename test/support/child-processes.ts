import { readdirSync, readFileSync } from 'node:fs';

/** Ids of our child processes that have `word` in their command line. */
export function childProcesses(word: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const [, parent] = /\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
        return parent === String(process.pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(word);
      } catch {
        return false;
      }
    });
}

/** Kills the next `times` such processes as soon as they are there. Resolves when it has, or when `until` settles. */
export async function killNext(word: string, times: number, until: Promise<unknown>): Promise<number> {
  const killed = new Set<number>();
  let over = false;
  const end = () => (over = true);
  until.then(end, end);
  while (killed.size < times && !over) {
    for (const pid of childProcesses(word)) {
      if (killed.has(pid) || killed.size >= times) continue;
      process.kill(pid, 'SIGKILL');
      killed.add(pid);
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return killed.size;
}
