/**
 * The embedder that comes with the product: English, 512 dimensions, no network (architecture §5).
 *
 * It computes in child processes, so that the main loop is never busy with it, and they are only there while there
 * is work: none before the first text, none after two quiet minutes.
 */
import { InvalidRequestError, OverloadedError } from '@app/contract';
import { ChildPool, TaskCrashedError, TaskTimeoutError } from '@app/platform';
import { Embedder } from './embedder';

const DIMENSIONS = 512;
/** The model reads about 128 tokens; its tokenizer's time grows with the square of the rest. */
const MAX_CHARACTERS = 1200;
/** More texts at once are not quicker, and a question would wait longer behind them. */
const TEXTS_PER_JOB = 8;
/** A job takes under a second on an idle core; this is for machines that are not. */
const JOB_MS = 60_000;
const IDLE_MS = 120_000;
/** Five times what a child is seen to need. */
const MEMORY_MB = 1536;

interface TextJob {
  /** Places of the texts among those that were asked for. */
  readonly places: readonly number[];
  readonly texts: readonly string[];
}

export class LocalEmbedder extends Embedder {
  override readonly id = `use-lite-en-${DIMENSIONS}`;
  override readonly maxWords = 100;
  override readonly languages = ['en'];

  private readonly pool: ChildPool;

  /** @param workers child processes at most; each takes about 250 MB while it is there. */
  constructor(private readonly workers: number) {
    super();
    this.pool = new ChildPool({
      name: 'embedder',
      task: require.resolve('./local-embedder.task'),
      size: workers,
      memoryMb: MEMORY_MB,
      timeoutMs: JOB_MS,
      idleMs: IDLE_MS,
      repeatable: true,
    });
  }

  override dimensions(): Promise<number> {
    return Promise.resolve(DIMENSIONS);
  }

  /**
   * An aborted call rejects at once. The job that is running for it is let to its end, which is near: a child that
   * is killed has to load the model again.
   *
   * @throws InvalidRequestError for an empty text, OverloadedError when the processes die or take too long.
   */
  override async embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    signal?.throwIfAborted();
    if (texts.some((text) => text === '')) throw new InvalidRequestError('A text to embed is empty.');
    const jobs = jobsOf(texts, this.workers);
    const vectors = new Array<Float32Array>(texts.length);
    // No more at once than there are children: another call gets its turn between two jobs of this one.
    const work = async () => {
      for (let job = jobs.shift(); job; job = jobs.shift()) {
        signal?.throwIfAborted();
        const flat = await this.pool.run<Float32Array>(job.texts).catch(notNow);
        job.places.forEach((place, at) => {
          vectors[place] = new Float32Array(flat.subarray(at * DIMENSIONS, (at + 1) * DIMENSIONS));
        });
      }
    };
    const done = Promise.all(Array.from({ length: Math.min(this.workers, jobs.length) }, work));
    // What is left of a call that failed is not worth the work.
    done.catch(() => jobs.splice(0));
    await (signal ? unlessAborted(done, signal) : done);
    return vectors;
  }

  /** Ends the children. */
  async onApplicationShutdown(): Promise<void> {
    await this.pool.close();
  }
}

/** The same texts have vectors in a moment: nothing is wrong with them. */
function notNow(error: unknown): never {
  if (!(error instanceof TaskCrashedError) && !(error instanceof TaskTimeoutError)) throw error;
  throw new OverloadedError('The embedder could not finish; try again in a moment.', { cause: error, retryAfter: 5 });
}

/** Texts of about the same length go together, the long ones first: a job takes as long as its longest. */
function jobsOf(texts: readonly string[], workers: number): TextJob[] {
  const places = texts.map((_, place) => place).sort((a, b) => texts[b]!.length - texts[a]!.length);
  const size = Math.min(TEXTS_PER_JOB, Math.ceil(texts.length / workers));
  const jobs: TextJob[] = [];
  for (let begin = 0; begin < places.length; begin += size) {
    const some = places.slice(begin, begin + size);
    jobs.push({ places: some, texts: some.map((place) => texts[place]!.slice(0, MAX_CHARACTERS)) });
  }
  return jobs;
}

/** As the promise, but rejected when the signal aborts before. */
function unlessAborted(promise: Promise<unknown>, signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
