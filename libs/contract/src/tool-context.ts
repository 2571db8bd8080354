/** What a tool may look at: `tool_context` and its filters (messages-api §5.3). */
import { z } from 'zod';

export const DEFAULT_COLLECTION = 'pgpt_collection';

export const METADATA_OPERATORS = [
  '==',
  '!=',
  '>',
  '<',
  '>=',
  '<=',
  'in',
  'nin',
  'any',
  'all',
  'text_match',
  'text_match_insensitive',
  'contains',
  'is_empty',
] as const;

const scalar = z.union([z.string().max(1000), z.number(), z.boolean()]);

export const metadataConditionSchema = z
  .object({
    key: z
      .string()
      .regex(
        /^[A-Za-z_][A-Za-z0-9_.]{0,63}$/,
        'A metadata key is a letter or underscore, then up to 63 of A-Z a-z 0-9 _ .',
      ),
    operator: z.enum(METADATA_OPERATORS).default('=='),
    value: z.union([scalar, z.array(scalar).max(100)]).nullish(),
  })
  .refine(({ operator, value }) => operator === 'is_empty' || (value !== undefined && value !== null), {
    error: 'Value error, only the operator is_empty goes without a value',
  })
  .meta({ id: 'MetadataFilter' });

/** One condition; several are joined by AND. */
export type MetadataCondition = z.infer<typeof metadataConditionSchema>;

export const contextFilterSchema = z
  .object({
    collection: z.string().min(1).max(255).default(DEFAULT_COLLECTION),
    // A caller's empty list means the whole collection, like null; inside, an empty list means nothing.
    artifacts: z
      .array(z.string().min(1).max(255))
      .max(10_000)
      .nullish()
      .transform((artifacts) => (artifacts?.length ? artifacts : undefined)),
    metadata_filter: z
      .array(metadataConditionSchema)
      .max(20)
      .nullish()
      .transform((conditions) => (conditions?.length ? conditions : undefined)),
  })
  .meta({ id: 'ContextFilter' });

/**
 * Where to look: `artifacts` absent is the whole collection, empty is nothing. `artifacts` and
 * `metadata_filter` intersect (SEC-104).
 */
export type ContextFilter = z.infer<typeof contextFilterSchema>;

const ingestedArtifactSchema = z
  .object({ type: z.literal('ingested_artifact'), context_filter: contextFilterSchema })
  .meta({ id: 'IngestedArtifact' });

const sqlDatabaseSchema = z
  .object({
    type: z.literal('sql_database'),
    connection_string: z.string().min(1).max(4096),
    schema: z.string().max(255).nullish(),
    schemas: z.array(z.string().max(255)).max(100).nullish(),
    ssl: z.boolean().default(false),
    enable_tables: z.boolean().default(true),
    enable_views: z.boolean().default(true),
    enable_functions: z.boolean().default(true),
    enable_procedures: z.boolean().default(true),
    description: z.string().max(10_000).default(''),
  })
  .meta({ id: 'SqlDatabaseArtifact' });

/** Kinds that are shared with ingestion; no built-in tool reads them from `tool_context`. */
const contentContext = (type: 'file' | 'uri' | 'text') => z.object({ type: z.literal(type), value: z.string() });

export const toolContextSchema = z
  .discriminatedUnion('type', [
    ingestedArtifactSchema,
    sqlDatabaseSchema,
    contentContext('file'),
    contentContext('uri'),
    contentContext('text'),
    z.object({
      type: z.literal('skill'),
      skill_filter: z.object({
        collection: z.string().min(1).max(255),
        skill_or_version_ids: z.array(z.string()).nullish(),
      }),
    }),
  ])
  .meta({ id: 'ToolContext' });

export type ToolContext = z.infer<typeof toolContextSchema>;
export type ToolContextKind = ToolContext['type'];
export type ToolContextOf<Kind extends ToolContextKind> = Extract<ToolContext, { type: Kind }>;
