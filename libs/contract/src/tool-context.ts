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
    collection: z
      .string()
      .min(1)
      .max(255)
      .default(DEFAULT_COLLECTION)
      .describe('The collection to look in. One that does not exist is empty.'),
    // A caller's empty list means the whole collection, like null; inside, an empty list means nothing.
    artifacts: z
      .array(z.string().min(1).max(255))
      .max(10_000)
      .nullish()
      .transform((artifacts) => (artifacts?.length ? artifacts : undefined))
      .describe('Ids of the artifacts to look in. Absent, null or empty: all of the collection.'),
    metadata_filter: z
      .array(metadataConditionSchema)
      .max(20)
      .nullish()
      .transform((conditions) => (conditions?.length ? conditions : undefined))
      .describe('Conditions on the metadata of artifacts, all of which have to hold.'),
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
    connection_string: z
      .string()
      .min(1)
      .max(4096)
      .describe('`scheme://user:password@host:port/database`, for PostgreSQL, MySQL, MariaDB, SQL Server or SQLite.'),
    schema: z.string().max(255).nullish().describe('A schema that may be read; one list with `schemas`.'),
    schemas: z
      .array(z.string().max(255))
      .max(100)
      .nullish()
      .describe(
        'Schemas that may be read, in the order in which bare names are looked up. None: all but those of the system.',
      ),
    ssl: z.boolean().default(false).describe('Verified TLS, or no connection.'),
    enable_tables: z.boolean().default(true).describe('Whether the model is told of tables.'),
    enable_views: z.boolean().default(true).describe('Whether the model is told of views.'),
    enable_functions: z.boolean().default(true).describe('Whether the model is told of functions.'),
    enable_procedures: z
      .boolean()
      .default(true)
      .describe('Whether the model is told of procedures. None is ever called.'),
    description: z
      .string()
      .max(10_000)
      .default('')
      .describe('Words about the database, for the model that writes the SQL.'),
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
