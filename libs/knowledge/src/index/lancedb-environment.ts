/**
 * What LanceDB's native part takes from the environment, when it loads and in no other way. Import this before
 * `@lancedb/lancedb`.
 */
import { availableParallelism } from 'node:os';

/* eslint-disable no-restricted-properties -- see above */

/** By default it prints a warning for many a harmless query. */
process.env.RUST_LOG ??= 'error';

/**
 * Who writes a word index holds a thread of its pool for each shard and waits for others of the same pool. That has as
 * many threads as there are processors beyond two, and where those do not suffice, all of it stands still for ever.
 */
process.env.LANCE_FTS_NUM_SHARDS = '1';
process.env.LANCE_CPU_THREADS ??= String(Math.max(6, availableParallelism()));
