/** What a child process of the parser pool runs: it has the bytes of one file and
 * a folder for its tables, and nothing else of ours (SEC-04). */
import { detectLanguage, type Language } from '../retrieval/language';
import { analyseText } from '../retrieval/analyse-text';
import { documentText, type DocumentText } from '../documents/document-text';
import type { DocumentBlock, ParsedDocument, ParserLimits, SourceFile } from '../parsers/parser';
import { parseFile } from '../parsers/parse-file';
import { LimitExceededError } from '../parsers/parser-errors';
import { documentTables } from '../tables/document-tables';
import { importTables, wholeTables } from '../tables/import-tables';
import { TABLE_LIMITS } from '../tables/table-input';
import { chunkDocument } from './chunk-document';
import type { ReadDocument } from './document-reader';

interface PassagesJob {
  readonly as: 'passages';
  readonly file: SourceFile;
  readonly limits: ParserLimits;
  readonly maxWords: number;
  readonly maxChunks: number;
  /** For the tables of the file. Without it they are text only. */
  readonly folder?: string;
}

interface TextJob {
  readonly as: 'text';
  readonly file: SourceFile;
  readonly limits: ParserLimits;
  readonly maxBytes: number;
}

export type ParseJob = PassagesJob | TextJob;

export async function handle(job: ParseJob): Promise<ReadDocument | DocumentText> {
  const document = await parseFile(job.file, job.limits);
  const limits = job.limits.tables ?? TABLE_LIMITS;
  if (job.as === 'text')
    return documentText(withTables(document, wholeTables(document.tables ?? [], limits)), job.maxBytes);
  if (job.folder === undefined)
    return passagesOf(withTables(document, wholeTables(document.tables ?? [], limits)), [], job);
  const inputs = document.tables ?? documentTables(document, limits);
  const { tables, blocks } = await importTables(inputs, job.folder, limits);
  // The tables of a document are among its blocks already.
  return passagesOf(document.tables ? withTables(document, blocks) : document, tables, job);
}

const withTables = (document: ParsedDocument, tables: readonly DocumentBlock[]): ParsedDocument => ({
  ...document,
  blocks: [...document.blocks, ...tables],
});

function passagesOf(
  document: ParsedDocument,
  tables: ReadDocument['tables'],
  { maxWords, maxChunks }: PassagesJob,
): ReadDocument {
  const chunks = chunkDocument(document, { maxWords });
  if (chunks.length > maxChunks) {
    throw new LimitExceededError(
      `the file makes ${chunks.length} passages, at most ${maxChunks} are taken`,
      'MAX_CHUNKS_PER_ARTIFACT',
    );
  }
  const said = document.language?.slice(0, 2).toLowerCase();
  const language: Language | undefined =
    said === 'en' || said === 'es'
      ? said
      : detectLanguage(
          chunks
            .slice(0, 200)
            .map(({ text }) => text)
            .join('\n'),
        );
  return {
    format: document.format,
    tables,
    chunks: chunks.map((chunk) => ({
      ...chunk,
      terms: analyseText([...chunk.headings, chunk.text].join('\n'), language),
    })),
  };
}
