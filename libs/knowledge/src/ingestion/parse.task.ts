/** What a child process of the parser pool runs: it has the bytes of one file, and nothing else of ours (SEC-04). */
import { detectLanguage, type Language } from '../retrieval/language';
import { analyseText } from '../retrieval/analyse-text';
import { documentText, type DocumentText } from '../documents/document-text';
import type { ParsedDocument, ParserLimits, SourceFile } from '../parsers/parser';
import { parseFile } from '../parsers/parse-file';
import { LimitExceededError } from '../parsers/parser-errors';
import { chunkDocument } from './chunk-document';
import type { ReadDocument } from './document-reader';

interface PassagesJob {
  readonly as: 'passages';
  readonly file: SourceFile;
  readonly limits: ParserLimits;
  readonly maxWords: number;
  readonly maxChunks: number;
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
  return job.as === 'text' ? documentText(document, job.maxBytes) : passagesOf(document, job);
}

function passagesOf(document: ParsedDocument, { maxWords, maxChunks }: PassagesJob): ReadDocument {
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
    chunks: chunks.map((chunk) => ({
      ...chunk,
      terms: analyseText([...chunk.headings, chunk.text].join('\n'), language),
    })),
  };
}
