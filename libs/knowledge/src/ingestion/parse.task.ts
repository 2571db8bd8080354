/** What a child process of the parser pool runs: it has the bytes of one file, and nothing else of ours (SEC-04). */
import { detectLanguage, type Language } from '../retrieval/language';
import { analyseText } from '../retrieval/analyse-text';
import type { ParserLimits, SourceFile } from '../parsers/parser';
import { parseFile } from '../parsers/parse-file';
import { LimitExceededError } from '../parsers/parser-errors';
import { chunkDocument } from './chunk-document';
import type { ReadDocument } from './document-reader';

export interface ParseJob {
  readonly file: SourceFile;
  readonly limits: ParserLimits;
  readonly maxWords: number;
  readonly maxChunks: number;
}

export async function handle({ file, limits, maxWords, maxChunks }: ParseJob): Promise<ReadDocument> {
  const document = await parseFile(file, limits);
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
