/** A job was killed because it took longer than it may. */
export class TaskTimeoutError extends Error {
  constructor(
    readonly task: string,
    readonly timeoutMs: number,
  ) {
    super(`The ${task} did not finish within ${timeoutMs} ms`);
    this.name = 'TaskTimeoutError';
  }
}

/** A job's process died under it: it outgrew its memory and was killed, or ended by itself. */
export class TaskCrashedError extends Error {
  constructor(
    readonly task: string,
    readonly reason: 'memory' | 'exit',
    how: string,
  ) {
    super(`The ${task} process died: ${how}`);
    this.name = 'TaskCrashedError';
  }
}
