/**
 * Room for the bodies of all requests together (SEC-126): callers at once must not be able to fill the memory.
 *
 * A body is let in before anything of it is read, and the others wait with their bytes still on the wire. Small bodies
 * have room of their own, so that a question never waits behind a book. A body that does not come promptly goes to the
 * disk instead, so that nobody waits for a caller that is slow.
 */
import { OverloadedError } from '@app/contract';

const MiB = 1024 ** 2;
const SMALL = MiB;
/** Of all the room. */
const SHARE_OF_SMALL = 0.25;
/** What slow callers may have on the disk, for each byte of room in memory. */
const DISK_FOR_SLOW = 8;
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
  private readonly slow: Lane;

  /** @param bytes of all bodies at once. */
  constructor(bytes: number) {
    const refusal = () => noRoom(bytes);
    this.small = new Lane(bytes * SHARE_OF_SMALL, refusal);
    this.large = new Lane(bytes * (1 - SHARE_OF_SMALL), refusal);
    this.slow = new Lane(bytes * DISK_FOR_SLOW, () => noRoomForSlow(bytes));
  }

  /** The room for a body, if there is some now; undefined where it has to wait for its turn. */
  admitAtOnce(length: number | undefined): Admission | undefined {
    const place = this.placeOf(length);
    return place.enterAtOnce() ? place : undefined;
  }

  /**
   * Waits for its turn.
   *
   * @param length of the body; undefined where it comes in chunks, and is counted as it comes.
   * @throws OverloadedError naming the setting, where too many wait or it waited too long.
   */
  async admit(length: number | undefined): Promise<Admission> {
    const place = this.placeOf(length);
    await place.enter();
    return place;
  }

  /**
   * The room on the disk for a body that comes slowly.
   *
   * @param length of the body, or what has come of it where nobody said.
   * @throws OverloadedError naming the setting, where there is none.
   */
  admitSlow(length: number): Admission {
    const place = new Place(length, () => this.slow, 1);
    if (!place.enterAtOnce()) throw this.slow.refusal();
    return place;
  }

  private placeOf(length: number | undefined): Place {
    return new Place(length ?? 0, this.laneOf);
  }

  private readonly laneOf = (size: number): Lane => (size <= SMALL ? this.small : this.large);
}

class Place implements Admission {
  private lane: Lane;
  private held: number;
  private over = false;

  constructor(
    private size: number,
    private readonly laneOf: (size: number) => Lane,
    private readonly weight = WHILE_READ,
  ) {
    this.lane = laneOf(size);
    this.held = this.lane.weigh(weight * size);
  }

  enterAtOnce(): boolean {
    return this.lane.enterAtOnce(this.held);
  }

  enter(): Promise<void> {
    return this.lane.enter(this.held);
  }

  grow(bytes: number): void {
    this.size += bytes;
    const to = this.laneOf(this.size);
    const more = to.weigh(this.weight * this.size) - (to === this.lane ? this.held : 0);
    if (!to.hasRoom(more)) throw to.refusal();
    this.hold(to, this.weight * this.size);
  }

  parsed(): void {
    if (!this.over) this.hold(this.lane, this.size);
  }

  end(): void {
    if (!this.over) this.lane.leave(this.held);
    this.over = true;
  }

  private hold(to: Lane, bytes: number): void {
    const [before, freed] = [this.lane, this.held];
    this.lane = to;
    this.held = to.weigh(bytes);
    // In this order, or who waits would be given what is taken here.
    to.take(this.held);
    before.leave(freed);
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

  enterAtOnce(bytes: number): boolean {
    if (this.queue.length > 0 || !this.hasRoom(bytes)) return false;
    this.take(bytes);
    return true;
  }

  enter(bytes: number): Promise<void> {
    if (this.enterAtOnce(bytes)) return Promise.resolve();
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

const noRoomForSlow = (bytes: number) =>
  new OverloadedError(
    `The body came too slowly, and too many others do: ${(bytes * DISK_FOR_SLOW) / MiB} MiB of them have room, ${DISK_FOR_SLOW} times the setting MAX_BODIES_MB. Try again in a moment.`,
    { retryAfter: RETRY_AFTER_SECONDS },
  );
const noRoom = (bytes: number) =>
  new OverloadedError(
    `The server is taking in too many large bodies at once: ${bytes / MiB} MiB of them have room (setting MAX_BODIES_MB). Try again in a moment.`,
    { retryAfter: RETRY_AFTER_SECONDS },
  );
