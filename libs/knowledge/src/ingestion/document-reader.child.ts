import { ChildPool, type Config } from '@app/platform';
import type { DocumentText } from '../documents/document-text';
import type { SourceFile } from '../parsers/parser';
import { inWordsForCallers } from '../parsers/child-errors';
import { DocumentReader, type ReadDocument } from './document-reader';
import type { ParseJob } from './parse.task';

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

  override read(
    file: SourceFile,
    { maxWords }: { readonly maxWords: number },
    signal?: AbortSignal,
  ): Promise<ReadDocument> {
    const { maxPages, maxChunks } = this.limits;
    return this.run<ReadDocument>({ as: 'passages', file, limits: { maxPages }, maxWords, maxChunks }, signal);
  }

  override text(file: SourceFile, maxBytes: number, signal?: AbortSignal): Promise<DocumentText> {
    return this.run<DocumentText>({ as: 'text', file, limits: { maxPages: this.limits.maxPages }, maxBytes }, signal);
  }

  override close(): Promise<void> {
    return this.pool.close();
  }

  private async run<Result>(job: ParseJob, signal?: AbortSignal): Promise<Result> {
    try {
      return await this.pool.run<Result>(job, { signal });
    } catch (error) {
      throw inWordsForCallers(error, this.limits);
    }
  }
}
