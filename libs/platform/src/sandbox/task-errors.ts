/** A job was killed because it took longer than it may, by the clock or of the processor. */
export class TaskTimeoutError extends Error {
  constructor(
    readonly task: string,
    readonly timeoutMs: number,
    counted: 'by the clock' | 'of processor time' = 'by the clock',
  ) {
    super(`The ${task} did not finish within ${timeoutMs} ms${counted === 'by the clock' ? '' : ` ${counted}`}`);
    this.name = 'TaskTimeoutError';
  }
}

/**
 * A job's process died under it: it outgrew its memory (`memory`), ended by itself (`exit`), or somebody else ended it
 * or it could not be reached (`killed`).
 */
export class TaskCrashedError extends Error {
  constructor(
    readonly task: string,
    readonly reason: 'memory' | 'exit' | 'killed',
    how: string,
  ) {
    super(`The ${task} process died: ${how}`);
    this.name = 'TaskCrashedError';
  }
}
