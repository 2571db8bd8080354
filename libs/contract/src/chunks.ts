/** A passage of an ingested document, as search returns it (messages-api §4.3). */
import { z } from 'zod';

export const ingestedDocumentSchema = z
  .object({
    object: z.literal('ingest.document'),
    artifact: z.string(),
    /** The caller's metadata, with the server's own keys laid over it. */
    doc_metadata: z.record(z.string(), z.unknown()).nullable(),
  })
  .meta({ id: 'IngestedDocument' });

export type IngestedDocument = z.infer<typeof ingestedDocumentSchema>;

export const chunkSchema = z
  .object({
    object: z.literal('context.chunk'),
    /** A UUID. */
    id: z.string(),
    /** Higher is better; between -0.01 and 1.01. */
    score: z.number().min(-0.01).max(1.01),
    document: ingestedDocumentSchema,
    text: z.string(),
    content_type: z.literal('text/plain'),
    /** Neighbouring passages in reading order, where `expand` asked for them. */
    previous_texts: z.array(z.string()),
    next_texts: z.array(z.string()),
    metadata: z.looseObject({
      /** The headings above the passage, outermost first, joined with " › ". */
      title: z.string().optional(),
      /** Counted from 1; only for formats with pages. */
      page: z.number().int().optional(),
      /** The mark by which an answer cites the passage: four of A-Z 0-9. */
      shorter_id: z.string(),
      /** Position in the document, from 0. */
      abs_idx: z.number().int(),
      /** Position under its heading, from 0. */
      rel_idx: z.number().int(),
    }),
  })
  .meta({ id: 'Chunk' });

export type Chunk = z.infer<typeof chunkSchema>;
