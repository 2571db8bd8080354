/** Searching passages, embedding texts and running a tool directly (messages-api §13, §15). */
import { z } from 'zod';
import { chunkSchema } from './chunks';
import { outputBlockSchema } from './output-blocks';
import { contextFilterSchema, toolContextSchema } from './tool-context';

const text = z.string().max(32_768);
const keywords = z.array(z.string().max(1000)).max(100);
const limit = z.number().int().min(1).max(100).default(10);
const expand = z.boolean().default(false);

const searches = z.discriminatedUnion('type', [
  z
    .object({
      type: z.literal('semantic_search'),
      text,
      context_filter: contextFilterSchema,
      limit,
      score_threshold: z.number().min(0).max(1).default(0),
      expand,
    })
    .meta({ id: 'SemanticSearch' }),
  z
    .object({ type: z.literal('keywords_search'), keywords, context_filter: contextFilterSchema, limit })
    .meta({ id: 'KeywordSearch' }),
  z
    .object({ type: z.literal('hybrid_search'), text, keywords, context_filter: contextFilterSchema, limit, expand })
    .meta({ id: 'HybridSearch' }),
]);

/** Without a `type` it is a semantic search. */
export const searchBodySchema = z.preprocess(
  (value) =>
    typeof value === 'object' && value !== null && !('type' in value) ? { ...value, type: 'semantic_search' } : value,
  searches,
);

export type SearchBody = z.infer<typeof searchBodySchema>;

export const searchResponseSchema = z
  .object({ object: z.literal('list'), model: z.string(), data: z.array(chunkSchema) })
  .meta({ id: 'SearchResponse' });

const question = z.string().min(1).max(32_768).describe('One complete question, in plain words.');

export const semanticSearchToolBodySchema = z
  .object({
    query: z.string().min(1).max(32_768).describe('What to look for, in plain words.'),
    context_filter: contextFilterSchema,
    format: z
      .enum(['default', 'citations'])
      .default('default')
      .describe('`citations` puts the identifier that a citation names before each passage.'),
  })
  .meta({ id: 'SemanticSearchToolBody' });

export const tabularAnalysisToolBodySchema = z
  .object({ query: question, context_filter: contextFilterSchema })
  .meta({ id: 'TabularDataAnalysisToolBody' });

export const webFetchToolBodySchema = z
  .object({ url: z.string().min(1).max(8192).describe('The address of the page, with http:// or https://.') })
  .meta({ id: 'WebFetchToolBody' });

export const databaseQueryToolBodySchema = z
  .object({
    query: question,
    artifacts: z
      .array(toolContextSchema)
      .max(100)
      .describe('The databases, each a `sql_database`; at most eight. Those of other kinds are passed over.'),
  })
  .meta({ id: 'DatabaseQueryToolBody' });

export const toolResponseSchema = z
  .object({
    content: z.array(outputBlockSchema),
    is_error: z.boolean().describe('The tool failed; `content` says why.'),
  })
  .meta({ id: 'ToolResponse' });

export const embeddingsBodySchema = z
  .object({
    model: z.string().max(255).nullish(),
    input: z.union([z.string(), z.array(z.string()).max(2048)]),
  })
  .meta({ id: 'EmbeddingsBody' });

export const embeddingsResponseSchema = z
  .object({
    object: z.literal('list'),
    model: z.string(),
    data: z.array(
      z.object({ index: z.number().int(), object: z.literal('embedding'), embedding: z.array(z.number()) }),
    ),
  })
  .meta({ id: 'EmbeddingsResponse' });
