/** Ingesting, listing and deleting documents (messages-api §14). */
import { z } from 'zod';
import { chunkSchema, ingestedDocumentSchema } from './chunks';
import { contextFilterSchema, DEFAULT_COLLECTION } from './tool-context';

/** Letters, digits, dots, dashes, underscores and spaces; no leading dot; never a part of a path (SEC-82). */
const callersName = (what: string) =>
  z
    .string()
    .min(1)
    .max(255)
    .regex(
      /^[\p{L}\p{N}_-][\p{L}\p{N}\p{M}._ -]{0,254}$/u,
      `The ${what} may hold letters, digits, spaces and . _ - (SEC-82)`,
    );

export const artifactIdSchema = callersName('artifact id');
export const collectionNameSchema = callersName('collection name');

export const ingestBodySchema = z
  .object({
    artifact: artifactIdSchema,
    collection: collectionNameSchema.default(DEFAULT_COLLECTION),
    input: z.discriminatedUnion('type', [
      z.object({ type: z.literal('file'), value: z.string() }).meta({ id: 'FileInput' }),
      z.object({ type: z.literal('uri'), value: z.string().max(8192) }).meta({ id: 'UriInput' }),
      z.object({ type: z.literal('text'), value: z.string() }).meta({ id: 'TextInput' }),
    ]),
    metadata: z.record(z.string().max(200), z.unknown()).nullish(),
  })
  .meta({ id: 'IngestBody' });

export type IngestBody = z.infer<typeof ingestBodySchema>;

export const ingestResponseSchema = z
  .object({ object: z.literal('list'), model: z.string(), data: z.array(ingestedDocumentSchema) })
  .meta({ id: 'IngestResponse' });

export type IngestResponse = z.infer<typeof ingestResponseSchema>;

export const deleteBodySchema = z
  .object({ collection: collectionNameSchema, artifact: artifactIdSchema })
  .meta({ id: 'DeleteIngestedDocumentBody' });

export const listQuerySchema = z.object({ collection: collectionNameSchema.default(DEFAULT_COLLECTION) });

export const CONTENT_NODE_TYPES = [
  'ImageNode',
  'ListItemNode',
  'ListNode',
  'SectionNode',
  'TableNode',
  'TableRowNode',
  'TextNode',
] as const;
const nodeTypes = z.array(z.enum(CONTENT_NODE_TYPES)).nullish();

/** Which parts of the tree of a document are wanted: those that every condition lets through. */
export const contentNodeFilterSchema = z
  .object({
    include: nodeTypes,
    exclude: nodeTypes,
    node_ids: z.array(z.string().max(600)).max(10_000).nullish(),
    include_children: z.boolean().default(true).describe('What is below a wanted node comes with it.'),
    include_ancestors: z.boolean().default(false).describe('The sections that a wanted node stands in come with it.'),
  })
  .meta({ id: 'ContentNodeFilter' });

export type ContentNodeFilter = z.infer<typeof contentNodeFilterSchema>;

const contentFields = {
  context_filter: contextFilterSchema,
  format: z.enum(['markdown', 'object']).default('markdown'),
  filter: contentNodeFilterSchema.nullish(),
};

export const contentBodySchema = z
  .object({
    ...contentFields,
    max_tokens: z.number().int().min(1).nullish().describe('The text of each artifact is cut at so many.'),
  })
  .meta({ id: 'ContentBody' });

export const chunkedContentBodySchema = z
  .object({
    ...contentFields,
    max_tokens: z
      .number()
      .int()
      .min(1)
      .nullish()
      .describe('A chunk has at most nine tenths of them. Default: the context window of the model.'),
  })
  .meta({ id: 'ChunkedContentBody' });

export type ChunkedContentBody = z.infer<typeof chunkedContentBodySchema>;

export type ContentBody = z.infer<typeof contentBodySchema>;

/** How many there are of something. */
const count = z.number().int().min(0);

const valueCount = z.object({ value: z.string(), count });

/** What became of a column of a table, and why. */
const columnReportSchema = z
  .object({
    original: z.string().describe('The header as the file has it; empty where it has none.'),
    name: z.string().describe('In SQL.'),
    type: z.string().describe('In the words of DuckDB: `BIGINT`, `DECIMAL(18,2)`, `VARCHAR`.'),
    decision: z.string().describe('How the values were read, in words.'),
    evidence: z.string().describe('What in the column spoke for it, in words.'),
    unit: z.string().optional().describe('Of the numbers: `€`, `USD`. `%` means that 25 % is stored as 0.25.'),
    identifier: z.boolean().optional().describe('The numbers name things; a sum of them says nothing.'),
    nulls: count,
    distinct: count.describe('Different values, without NULL.'),
    distinctIsEstimate: z.boolean().optional(),
    minimum: z.string().optional(),
    maximum: z.string().optional(),
    samples: z.array(z.string()),
    values: z.array(valueCount).optional().describe('All values, most frequent first, where they are few and short.'),
    missing: z
      .array(valueCount)
      .describe('What is written in the cells that are NULL; an empty cell is an empty text.'),
    hidden: z.boolean().describe('Hidden in its sheet.'),
    warnings: z.array(z.string()),
  })
  .meta({ id: 'ColumnReport' });

const tableReportSchema = z
  .object({
    name: z.string().describe('In SQL.'),
    source: z.object({
      format: z.string().describe('`csv`, `xlsx`, `ods`, `html`, `pdf` and others.'),
      sheet: z.string().optional(),
      range: z.string().optional().describe('The cells of the sheet, with the header: `B3:F120`.'),
      title: z.string().optional().describe('The caption of a table in a document, or the heading above it.'),
      page: z.number().int().min(1).optional(),
    }),
    rowCount: count,
    hidden: z.boolean().describe('The sheet is hidden; it is queried only when asked for.'),
    columns: z.array(columnReportSchema),
    hiddenRows: z
      .object({ column: z.string(), count })
      .optional()
      .describe('Rows that are hidden in the sheet, and the BOOLEAN column that marks them.'),
    above: z.array(z.string()).describe('Titles above the table.'),
    below: z.array(z.string()).describe('Totals, sources and notes below it.'),
    warnings: z.array(z.string()),
  })
  .meta({ id: 'TableReport' });

interface ContentNode {
  readonly id: string;
  readonly type: string;
  readonly content: string;
  readonly children: readonly ContentNode[];
}

const contentNodeSchema: z.ZodType<ContentNode> = z
  .object({
    id: z.string(),
    /** `SectionNode`, `TextNode`, `ListNode` or `TableNode`. */
    type: z.string(),
    content: z.string(),
    children: z.lazy(() => z.array(contentNodeSchema)),
  })
  .meta({ id: 'ContentNode' });

export const contentResponseSchema = z
  .object({
    data: z.array(
      z.object({
        artifact_id: z.string(),
        /** Markdown, or the document as a tree. */
        content: z.union([z.string(), contentNodeSchema]),
        /** The tables that were made of it, each with what was decided about its columns. */
        tables: z.array(tableReportSchema),
      }),
    ),
  })
  .meta({ id: 'ContentResponse' });

export type ContentResponse = z.infer<typeof contentResponseSchema>;

export const chunkedContentResponseSchema = z
  .object({
    /** One entry for each chunk. */
    data: z.array(
      z.object({
        artifact_id: z.string(),
        /** Where it is from, and its text. */
        content: z.tuple([
          z.object({ type: z.literal('source'), sources: z.array(chunkSchema) }),
          z.object({ type: z.literal('text'), text: z.string() }),
        ]),
      }),
    ),
  })
  .meta({ id: 'ChunkedContentResponse' });

export type ChunkedContentResponse = z.infer<typeof chunkedContentResponseSchema>;
