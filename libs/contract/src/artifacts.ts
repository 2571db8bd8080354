/** Ingesting, listing and deleting documents (messages-api §14). */
import { z } from 'zod';
import { ingestedDocumentSchema } from './chunks';
import { DEFAULT_COLLECTION } from './tool-context';

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
