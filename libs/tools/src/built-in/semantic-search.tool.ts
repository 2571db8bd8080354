import { text, type Chunk, type ResultContent } from '@app/contract';
import type { Retriever } from '@app/knowledge';
import { z } from 'zod';
import { defineTool } from '../tool';
import { narrow } from './narrow';

/** Passages a search hands to the model: at 100 words each, about as many tokens as a long page. */
const PASSAGES = 10;

/** Finds passages in the ingested documents (messages-api §6.1). */
export const semanticSearch = (retriever: Pick<Retriever, 'search' | 'check'>) =>
  defineTool({
    name: 'semantic_search',
    description:
      'Find passages in the ingested documents that help to answer a question. ' +
      'Returns the best passages with their text. Use it whenever the answer may be in the documents.',
    needs: {
      kind: 'ingested_artifact',
      otherwise: 'Semantic search tool requires an ingested artifact context.',
      atMostOne: 'Only one ingested context is supported.',
    },
    input: z.object({
      query: z
        .string()
        .min(1)
        .max(32_768)
        .describe('What to look for, in plain words, in the language of the documents.'),
      artifacts: z.array(z.string()).optional().describe('Ids of the artifacts to look in. Leave out to look in all.'),
    }),

    check: ({ caller, context: [scope] }) => retriever.check(caller, scope!.context_filter),

    async execute({ query, artifacts }, { caller, context: [scope], signal, cite }) {
      const filter = narrow(scope!.context_filter, artifacts);
      const hits = await retriever.search(caller, { mode: 'hybrid', query, filter, limit: PASSAGES }, signal);
      return semanticSearchResult(hits, { cite });
    },
  });

/**
 * The passages as a tool result: the `source` block for clients that know it, the text for everyone and the model.
 *
 * @param cite gives the mark of a passage; absent, no identifier lines are written.
 */
export function semanticSearchResult(
  hits: readonly Chunk[],
  { cite, nothing = 'No content is available.' }: { cite?: (chunk: Chunk) => string; nothing?: string } = {},
): ResultContent[] {
  const marked = hits.map((hit) => (cite ? { ...hit, metadata: { ...hit.metadata, shorter_id: cite(hit) } } : hit));
  const sections = marked.map((hit) => section(hit, cite !== undefined));
  return [{ type: 'source', sources: marked }, text(sections.join('\n') || nothing)];
}

function section({ text: passage, metadata }: Chunk, cited: boolean): string {
  const identifier = cited ? `Citation identifier [${metadata.shorter_id}]\n` : '';
  const heading = metadata.title ? `# ${metadata.title}\n` : '';
  return `${identifier}---\nContent:\n${heading}${passage}\n===`;
}
