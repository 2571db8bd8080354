import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ChildPool, type Config } from '@app/platform';
import type { DocumentText } from '../documents/document-text';
import type { ParserLimits, SourceFile } from '../parsers/parser';
import { TABLE_LIMITS } from '../tables/table-input';
import { DIALECT_BYTES, isDelimited } from '../tables/delimited-dialect';
import { inWordsForCallers } from '../parsers/child-errors';
import { DocumentReader, type ReadDocument, type ReadOptions } from './document-reader';
import type { ParseJob } from './parse.task';

/** What of a child's memory DuckDB may have. */
const TABLES_SHARE = 0.3;
/** Of a delimited file, which may be of any size, so much has the time that another file has as a whole. */
const BYTES_IN_TIME = 32 * 1024 * 1024;

/** DocumentReader in child processes, which a hostile file can hang, bloat or crash to no harm. */
export class ChildDocumentReader extends DocumentReader {
  private readonly pool: ChildPool;

  constructor(private readonly limits: Config['ingestion']) {
    super();
    this.pool = new ChildPool({
      name: 'parser',
      task: require.resolve('./parse.task'),
      size: limits.parserWorkers,
      memoryMb: limits.parserMemoryMb,
      timeoutMs: limits.parserMs,
      repeatable: true,
    });
  }

  override async read(file: SourceFile, options: ReadOptions, signal?: AbortSignal): Promise<ReadDocument> {
    try {
      if (options.folder !== undefined && isDelimited(file.name))
        return await this.readInPieces(file, options, options.folder, signal);
      const { path, ...rest } = file;
      const bytes = path === undefined ? file.bytes : await readFile(path, { signal });
      return await this.run<ReadDocument>(this.job({ ...rest, bytes }, options), signal);
    } finally {
      if (file.path !== undefined) await rm(file.path, { force: true });
    }
  }

  /** A table may be larger than what fits into a message to a child: it gets the file, and reads it in pieces. */
  private async readInPieces(
    { bytes, path, ...file }: SourceFile,
    options: ReadOptions,
    folder: string,
    signal?: AbortSignal,
  ): Promise<ReadDocument> {
    const source = join(folder, 'source');
    try {
      await mkdir(folder, { recursive: true });
      await (path === undefined ? writeFile(source, bytes, { signal }) : rename(path, source));
      const { head, size } = await beginningOf(source);
      const timeoutMs = this.limits.parserMs * Math.max(1, Math.ceil(size / BYTES_IN_TIME));
      return await this.run<ReadDocument>(this.job({ ...file, bytes: head, path: source }, options), signal, timeoutMs);
    } finally {
      await rm(source, { force: true });
    }
  }

  private job(file: SourceFile, options: ReadOptions): ParseJob {
    return { as: 'passages', file, limits: this.parserLimits(), maxChunks: this.limits.maxChunks, ...options };
  }

  override text(file: SourceFile, maxBytes: number, signal?: AbortSignal): Promise<DocumentText> {
    return this.run<DocumentText>({ as: 'text', file, limits: this.parserLimits(), maxBytes }, signal);
  }

  override close(): Promise<void> {
    return this.pool.close();
  }

  private parserLimits(): ParserLimits {
    const { maxPages, tables, parserMemoryMb } = this.limits;
    return {
      maxPages,
      tables: { ...TABLE_LIMITS, ...tables, memoryMb: Math.max(64, Math.floor(parserMemoryMb * TABLES_SHARE)) },
    };
  }

  private async run<Result>(job: ParseJob, signal?: AbortSignal, timeoutMs?: number): Promise<Result> {
    try {
      return await this.pool.run<Result>(job, { signal, timeoutMs });
    } catch (error) {
      throw inWordsForCallers(error, this.limits);
    }
  }
}

async function beginningOf(path: string): Promise<{ head: Uint8Array; size: number }> {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(DIALECT_BYTES), 0, DIALECT_BYTES, 0);
    return { head: buffer.subarray(0, bytesRead), size: (await file.stat()).size };
  } finally {
    await file.close();
  }
}
