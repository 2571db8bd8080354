/**
 * Room for the bodies of all requests together (SEC-126): callers at once must not be able to fill the memory.
 *
 * A body is let in before anything of it is read, and the others wait with their bytes still on the wire. Small bodies
 * have room of their own, so that a question never waits behind a book.
 */
import { OverloadedError } from '@app/contract';

const MiB = 1024 ** 2;
const SMALL = MiB;
/** Of all the room. */
const SHARE_OF_SMALL = 0.25;
/** While a body is read and parsed, its bytes and its text are there; afterwards only what the text became. */
const WHILE_READ = 2;
const MAX_WAITING = 512;
/** Half of the time that a request has: what waited has to arrive within the rest of it. */
const MAX_WAIT_MS = 60_000;
const RETRY_AFTER_SECONDS = 5;

/** The room that one body has. */
export interface Admission {
  /** More bytes of a body whose length nobody said. @throws OverloadedError where there is no room for them. */
  grow(bytes: number): void;
  /** The body is parsed: its raw bytes are gone. */
  parsed(): void;
  /** Nothing is left of it. May be called again. */
  end(): void;
}

export class BodyBudget {
  private readonly small: Lane;
  private readonly large: Lane;

  /** @param bytes of all bodies at once. */
  constructor(bytes: number) {
    const refusal = () => noRoom(bytes);
    this.small = new Lane(bytes * SHARE_OF_SMALL, refusal);
    this.large = new Lane(bytes * (1 - SHARE_OF_SMALL), refusal);
  }

  /**
   * Waits for its turn.
   *
   * @param length of the body; undefined where it comes in chunks, and is counted as it comes.
   * @throws OverloadedError naming the setting, where too many wait or it waited too long.
   */
  async admit(length: number | undefined): Promise<Admission> {
    let lane = length === undefined || length <= SMALL ? this.small : this.large;
    let held = lane.weigh(WHILE_READ * (length ?? 0));
    let size = length ?? 0;
    let over = false;
    await lane.enter(held);
    const hold = (to: Lane, bytes: number) => {
      const [before, freed] = [lane, held];
      lane = to;
      held = to.weigh(bytes);
      // In this order, or who waits would be given what is taken here.
      to.take(held);
      before.leave(freed);
    };
    return {
      grow: (bytes) => {
        size += bytes;
        const to = size <= SMALL ? this.small : this.large;
        const more = to.weigh(WHILE_READ * size) - (to === lane ? held : 0);
        if (!to.hasRoom(more)) throw to.refusal();
        hold(to, WHILE_READ * size);
      },
      parsed: () => {
        if (!over) hold(lane, size);
      },
      end: () => {
        if (!over) lane.leave(held);
        over = true;
      },
    };
  }
}

/** First come, first served. */
class Lane {
  private taken = 0;
  private readonly queue: { readonly bytes: number; readonly go: () => void }[] = [];

  constructor(
    private readonly room: number,
    readonly refusal: () => OverloadedError,
  ) {}

  /** What a body takes of the room. One that is larger than all of it is let in alone. */
  weigh(bytes: number): number {
    return Math.min(bytes, this.room);
  }

  hasRoom(bytes: number): boolean {
    return this.taken + bytes <= this.room;
  }

  take(bytes: number): void {
    this.taken += bytes;
  }

  leave(bytes: number): void {
    this.taken -= bytes;
    while (this.queue.length > 0 && this.hasRoom(this.queue[0]!.bytes)) {
      const { bytes: next, go } = this.queue.shift()!;
      this.take(next);
      go();
    }
  }

  enter(bytes: number): Promise<void> {
    if (this.queue.length === 0 && this.hasRoom(bytes)) {
      this.take(bytes);
      return Promise.resolve();
    }
    if (this.queue.length >= MAX_WAITING) return Promise.reject(this.refusal());
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.queue.splice(this.queue.indexOf(waiting), 1);
        // Smaller ones may have waited behind it.
        this.leave(0);
        reject(this.refusal());
      }, MAX_WAIT_MS);
      const waiting = {
        bytes,
        go: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      this.queue.push(waiting);
    });
  }
}

const noRoom = (bytes: number) =>
  new OverloadedError(
    `The server is taking in too many large bodies at once: ${bytes / MiB} MiB of them have room (setting MAX_BODIES_MB). Try again in a moment.`,
    { retryAfter: RETRY_AFTER_SECONDS },
  );
