/**
 * What was read lately and holds for a while: by key, one reading at a time for each, bounded in number and bytes.
 *
 * Those who ask while it is being read wait for the same reading. It is given up when nobody waits any more, and what
 * fails is not kept.
 */
export interface KeepLimits {
  readonly ageMs: number;
  readonly entries: number;
  readonly bytes: number;
  /** Of `bytes`, what one owner may take; it pushes out its own before that of others. */
  readonly share: number;
}

interface Reading<Value> {
  readonly value: Promise<Value>;
  readonly abandon: AbortController;
  waiting: number;
  isDone: boolean;
}

interface Kept<Value> {
  readonly owner: string;
  readonly value: Value;
  readonly bytes: number;
  readonly until: number;
}

export class KeptReadings<Value> {
  private readonly kept = new Map<string, Kept<Value>>();
  private readonly readings = new Map<string, Reading<Value>>();
  private readonly held = new Map<string, number>();
  private bytes = 0;

  /** @param sizeOf about how many bytes a value takes. */
  constructor(
    private readonly limits: KeepLimits,
    private readonly sizeOf: (value: Value) => number,
    private readonly now: () => number = Date.now,
  ) {}

  get size(): number {
    return this.kept.size;
  }

  /** What is kept, without waiting for what is being read. */
  peek(owner: string, key: string): Value | undefined {
    const full = keyOf(owner, key);
    const entry = this.kept.get(full);
    if (!entry) return undefined;
    if (entry.until <= this.now()) {
      this.drop(full);
      return undefined;
    }
    this.kept.delete(full);
    this.kept.set(full, entry);
    return entry.value;
  }

  /**
   * What is kept, or what `read` finds. Its signal aborts when all who wait for it are gone.
   *
   * @throws what `read` throws, the signal's reason.
   */
  async get(
    owner: string,
    key: string,
    read: (signal: AbortSignal) => Promise<Value>,
    signal: AbortSignal,
  ): Promise<Value> {
    signal.throwIfAborted();
    const found = this.peek(owner, key);
    if (found !== undefined) return found;
    const full = keyOf(owner, key);
    const reading = this.readings.get(full) ?? this.begin(owner, full, read);
    reading.waiting++;
    try {
      return await unlessAborted(reading.value, signal);
    } finally {
      reading.waiting--;
      if (reading.waiting === 0 && !reading.isDone) {
        this.end(full, reading);
        reading.abandon.abort(new Error('Nobody waits for this any more.'));
      }
    }
  }

  put(owner: string, key: string, value: Value): void {
    this.keep(owner, keyOf(owner, key), value);
  }

  /** Forgets what is kept; what is being read already was asked for before and is not kept when it comes. */
  forget(owner: string, key: string): void {
    const full = keyOf(owner, key);
    this.drop(full);
    this.readings.delete(full);
  }

  private begin(owner: string, full: string, read: (signal: AbortSignal) => Promise<Value>): Reading<Value> {
    const abandon = new AbortController();
    // Begins in a turn of its own: a `read` that throws at once is a rejection like any other.
    const value = Promise.resolve().then(() => read(abandon.signal));
    const reading: Reading<Value> = { value, abandon, waiting: 0, isDone: false };
    this.readings.set(full, reading);
    value.then(
      (found) => {
        if (this.end(full, reading)) this.keep(owner, full, found);
      },
      () => this.end(full, reading),
    );
    return reading;
  }

  /** Whether it was still the one that counts. */
  private end(full: string, reading: Reading<Value>): boolean {
    reading.isDone = true;
    return this.readings.get(full) === reading && this.readings.delete(full);
  }

  private keep(owner: string, full: string, value: Value): void {
    const bytes = this.sizeOf(value) + full.length;
    this.drop(full);
    if (bytes > this.limits.share) return;
    this.makeRoom(bytes, owner);
    this.kept.set(full, { owner, value, bytes, until: this.now() + this.limits.ageMs });
    this.count(owner, bytes);
  }

  private makeRoom(bytes: number, owner: string): void {
    for (const [full, entry] of this.kept) {
      const ownIsFull = (this.held.get(owner) ?? 0) + bytes > this.limits.share;
      const isFull = this.bytes + bytes > this.limits.bytes || this.kept.size >= this.limits.entries;
      if (!ownIsFull && !isFull) return;
      if (!ownIsFull || entry.owner === owner) this.drop(full);
    }
  }

  private drop(full: string): void {
    const entry = this.kept.get(full);
    if (!entry) return;
    this.kept.delete(full);
    this.count(entry.owner, -entry.bytes);
  }

  private count(owner: string, bytes: number): void {
    this.bytes += bytes;
    const held = (this.held.get(owner) ?? 0) + bytes;
    if (held > 0) this.held.set(owner, held);
    else this.held.delete(owner);
  }
}

const keyOf = (owner: string, key: string) => `${owner} ${key}`;

/** As the promise, but rejected when the signal aborts before. */
function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
