/**
 * Sends a folder to a collection, a few files at a time, leaving out what is there unchanged.
 *
 * What is there is known by the SHA-256 that the client left as metadata when it ingested the file. Nothing is
 * deleted from the collection.
 */
import type { IngestResponse } from '@app/contract';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError, ConnectionError, type ApiClient } from './api-client';
import { artifactIdOf, fileNameOf } from './artifact-id';
import { filesUnder, reasonOf, type FoundFile } from './folder';
import { withRetries } from './retry';

/** Bytes of files held at once; a file as it travels is about three times its size. */
const BYTES_IN_HAND = 64 * 1024 * 1024;

export interface FolderOptions {
  readonly collection: string;
  /** Files sent at once. */
  readonly concurrency: number;
  /** Larger files are told as failed, without being read. */
  readonly maxFileBytes: number;
  readonly signal: AbortSignal;
  /** Told after the walk, and after each file. */
  readonly onProgress: (progress: FolderProgress, outcome?: FileOutcome) => void;
}

export interface FolderProgress {
  readonly files: number;
  readonly bytes: number;
  readonly doneFiles: number;
  readonly doneBytes: number;
  readonly chunks: number;
}

export interface FileOutcome {
  readonly path: string;
  readonly status: 'ingested' | 'unchanged' | 'failed';
  /** Only for an ingested file, where the server says it. */
  readonly chunks?: number;
  /** Only for a failed one. */
  readonly reason?: string;
}

export interface FolderSummary {
  readonly outcomes: readonly FileOutcome[];
  /** Files that were not tried, because the server was gone or the caller stopped. */
  readonly notTried: number;
  /** Paths of links that were not followed, because they lead out of the folder. */
  readonly leaving: readonly string[];
  /** Why the run ended before its end. */
  readonly stoppedBy?: unknown;
}

/** @throws Error if the folder cannot be read; ApiError, ConnectionError if the collection cannot be listed. */
export async function ingestFolder(client: ApiClient, folder: string, options: FolderOptions): Promise<FolderSummary> {
  const { collection, concurrency, maxFileBytes, signal, onProgress } = options;
  const known = await knownHashes(client, collection, signal);
  const { files, unreadable, leaving } = await filesUnder(folder);
  const outcomes: FileOutcome[] = [];
  const progress = {
    files: files.length + unreadable.length,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    doneFiles: 0,
    doneBytes: 0,
    chunks: 0,
  };
  const done = (outcome: FileOutcome, bytes: number) => {
    outcomes.push(outcome);
    progress.doneFiles++;
    progress.doneBytes += bytes;
    progress.chunks += outcome.chunks ?? 0;
    onProgress(progress, outcome);
  };
  onProgress(progress);
  for (const { path, reason } of unreadable) done({ path, status: 'failed', reason }, 0);

  const inHand = new Budget(BYTES_IN_HAND);
  const owners = new Map<string, string>();
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);

  const send = async ({ path, size }: FoundFile): Promise<FileOutcome> => {
    const artifact = artifactIdOf(path);
    const owner = owners.get(artifact);
    if (owner !== undefined) {
      return { path, status: 'failed', reason: `its artifact id would be the same as that of ${owner}: rename one` };
    }
    owners.set(artifact, path);
    if (size > maxFileBytes) {
      const limit = Math.floor(maxFileBytes / 1024 / 1024);
      return { path, status: 'failed', reason: `it is over ${limit} MB (--max-file-mb; the server has MAX_FILE_MB)` };
    }
    await inHand.take(size);
    try {
      return await sendFile(client, join(folder, path), { path, artifact, collection }, known.get(artifact), either);
    } finally {
      inHand.give(size);
    }
  };

  const next = files[Symbol.iterator]();
  const worker = async () => {
    for (const file of next) {
      if (either.aborted) return;
      try {
        done(await send(file), file.size);
      } catch (error) {
        if (either.aborted) return;
        done({ path: file.path, status: 'failed', reason: (error as Error).message }, file.size);
        if (await isHopeless(client, error, either)) stop.abort(error);
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return {
    outcomes,
    notTried: progress.files - progress.doneFiles,
    leaving,
    ...(either.aborted && { stoppedBy: either.reason as unknown }),
  };
}

interface Target {
  readonly path: string;
  readonly artifact: string;
  readonly collection: string;
}

async function sendFile(
  client: ApiClient,
  location: string,
  { path, artifact, collection }: Target,
  knownHash: string | undefined,
  signal: AbortSignal,
): Promise<FileOutcome> {
  let bytes: Buffer;
  try {
    bytes = await readFile(location, { signal });
  } catch (error) {
    if (signal.aborted) throw error;
    return { path, status: 'failed', reason: reasonOf(error as NodeJS.ErrnoException) };
  }
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (sha256 === knownHash) return { path, status: 'unchanged' };
  const body = {
    collection,
    artifact,
    input: { type: 'file', value: bytes.toString('base64') },
    metadata: { file_name: fileNameOf(path), path, sha256 },
  };
  try {
    const { data } = await withRetries(() => client.post<IngestResponse>('/v1/artifacts/ingest', body, signal), signal);
    const [document] = data;
    if (!document) return { path, status: 'unchanged' };
    return { path, status: 'ingested', chunks: chunksOf(document.doc_metadata) };
  } catch (error) {
    if (error instanceof ApiError && !isRefusalOfCaller(error)) {
      return { path, status: 'failed', reason: error.message };
    }
    throw error;
  }
}

async function knownHashes(client: ApiClient, collection: string, signal: AbortSignal): Promise<Map<string, string>> {
  const query = new URLSearchParams({ collection });
  const { data } = await client.get<IngestResponse>(`/v1/artifacts/list?${query}`, signal);
  return new Map(
    data.flatMap(({ artifact, doc_metadata }) =>
      typeof doc_metadata?.sha256 === 'string' ? [[artifact, doc_metadata.sha256]] : [],
    ),
  );
}

function chunksOf(metadata: Record<string, unknown> | null): number | undefined {
  return typeof metadata?.chunk_count === 'number' ? metadata.chunk_count : undefined;
}

const isRefusalOfCaller = ({ status }: ApiError) => status === 401 || status === 403;

/** Whether the next file would fare no better: the caller is refused, or nobody answers any more. */
async function isHopeless(client: ApiClient, error: unknown, signal: AbortSignal): Promise<boolean> {
  if (error instanceof ApiError) return isRefusalOfCaller(error);
  if (!(error instanceof ConnectionError)) return true;
  return client.get('/health', signal).then(
    () => false,
    () => true,
  );
}

/** Lets callers hold no more than a number of bytes between them; one that asks for more than that goes alone. */
class Budget {
  private held = 0;
  private readonly queue: { bytes: number; go: () => void }[] = [];

  constructor(private readonly limit: number) {}

  async take(bytes: number): Promise<void> {
    if (this.queue.length === 0 && this.fits(bytes)) {
      this.held += bytes;
      return;
    }
    await new Promise<void>((go) => this.queue.push({ bytes, go }));
  }

  give(bytes: number): void {
    this.held -= bytes;
    for (let first = this.queue[0]; first && this.fits(first.bytes); first = this.queue[0]) {
      this.queue.shift();
      this.held += first.bytes;
      first.go();
    }
  }

  private fits(bytes: number): boolean {
    return this.held === 0 || this.held + bytes <= this.limit;
  }
}
