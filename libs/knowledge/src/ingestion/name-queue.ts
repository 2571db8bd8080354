/** Lets work under one name happen one after another, in the order in which it came; other names do not wait. */
export class NameQueue {
  private readonly last = new Map<string, Promise<unknown>>();

  run<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.last.get(name) ?? Promise.resolve();
    const result = before.then(work);
    const done = result
      .catch(() => {})
      .finally(() => {
        if (this.last.get(name) === done) this.last.delete(name);
      });
    this.last.set(name, done);
    return result;
  }
}
