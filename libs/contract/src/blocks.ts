/**
 * Content blocks that callers send (messages-api §4; anthropic-compat §5).
 *
 * Liberal: unknown fields are dropped, both spellings of media are accepted, whatever the server ever emitted
 * comes back. What the server emits is in `output-blocks.ts`.
 */
import { z } from 'zod';
import { isBase64 } from './base64';
import { TOOL_USE_ID } from './ids';
import { MAX_TOOL_NAME } from './tools';

/** Any single blob above this many base64 characters is refused: 25 MiB decoded. */
const MAX_BLOB_CHARACTERS = Math.ceil((25 * 1024 * 1024) / 3) * 4;

const base64Data = z
  .string()
  .max(MAX_BLOB_CHARACTERS, { error: 'Value error, A single blob holds at most 25 MiB', abort: true })
  .refine(isBase64, 'Value error, The data is not base64, in the standard alphabet, padded and without line breaks');
const nullish = <S extends z.ZodType>(schema: S) => schema.nullish().transform((value) => value ?? undefined);

const textBlock = z.object({ type: z.literal('text'), text: z.string().default('') }).meta({ id: 'TextBlock' });

const base64Source = z.object({ type: z.literal('base64'), data: base64Data, media_type: z.string().max(200) });
const textSource = z.object({ type: z.literal('text'), data: z.string(), media_type: z.string().nullish() });
const urlSource = z.object({ type: z.literal('url'), url: z.string().nullish(), uri: z.string().nullish() });
const fileSource = z.object({ type: z.literal('file'), file_id: z.string().max(255) });

/** The form with `source`, or the older one with `data` and `mime_type` (or `url`, `uri`) on the block itself. */
const mediaFields = {
  source: z.discriminatedUnion('type', [base64Source, urlSource, fileSource]).nullish(),
  data: base64Data.nullish(),
  mime_type: z.string().max(200).nullish(),
  url: z.string().nullish(),
  uri: z.string().nullish(),
};
const hasMedia = (block: { source?: unknown; data?: unknown; url?: unknown; uri?: unknown }) =>
  Boolean(block.source || block.data || block.url || block.uri);
const media = <T extends string>(type: T) =>
  z
    .object({ type: z.literal(type), filename: z.string().nullish(), ...mediaFields })
    .refine(hasMedia, { error: `Value error, an ${type} block needs a source`, path: ['source'] });

const documentBlock = z.object({
  type: z.literal('document'),
  source: z.discriminatedUnion('type', [
    base64Source,
    textSource,
    z.object({ type: z.literal('content'), content: z.union([z.string(), z.array(z.unknown())]) }),
    urlSource,
    fileSource,
  ]),
  title: nullish(z.string().max(1000)),
  context: nullish(z.string()),
  citations: z.object({ enabled: z.boolean().nullish() }).nullish(),
});

/** Media that also stand inside of others: in results, and in documents made of blocks. */
export const sentDocumentSchema = z.union([documentBlock, media('binary')]);
export const sentImageSchema = media('image');

const searchResultBlock = z.object({
  type: z.literal('search_result'),
  source: z.string(),
  title: z.string(),
  content: z.array(textBlock),
});

const thinkingBlock = z.object({
  type: z.literal('thinking'),
  thinking: z.string().default(''),
  signature: nullish(z.string()),
});

const toolUseId = z
  .string()
  .min(1)
  .max(256)
  .regex(TOOL_USE_ID, 'A tool use id holds only letters, digits, underscores and hyphens');

const toolUse = <T extends string>(type: T) =>
  z.object({
    type: z.literal(type),
    id: toolUseId,
    name: z.string().min(1).max(MAX_TOOL_NAME),
    input: z
      .record(z.string(), z.unknown())
      .nullish()
      .transform((input) => input ?? {}),
  });

/** The inside of a result is read leniently: it is material for the model, rendered as text where it is not text. */
const resultContent = z
  .union([z.string(), z.array(z.looseObject({ type: z.string() })), z.looseObject({ type: z.string() })])
  .nullish()
  .transform((content) => content ?? '');

const toolResult = <T extends string>(type: T) =>
  z.object({
    type: z.literal(type),
    tool_use_id: toolUseId,
    content: resultContent,
    is_error: z
      .boolean()
      .nullish()
      .transform((value) => value ?? false),
  });

/** Blocks in which an assistant says that it calls something. */
export const TOOL_USE_TYPES = ['tool_use', 'server_tool_use', 'mcp_tool_use'] as const;
/** Blocks that answer such a call. */
export const TOOL_RESULT_TYPES = [
  'tool_result',
  'server_tool_result',
  'mcp_tool_result',
  'web_search_tool_result',
  'web_fetch_tool_result',
  'code_execution_tool_result',
  'bash_code_execution_tool_result',
  'text_editor_code_execution_tool_result',
  'tool_search_tool_result',
  'advisor_tool_result',
] as const;

const midConversationSystem = z.object({
  type: z.literal('mid_conv_system'),
  content: z.union([z.array(textBlock), z.string().transform((text) => [{ type: 'text' as const, text }])]),
});

/** History that carries nothing a model could use; accepted and left out of the prompt. */
const opaque = <T extends string>(type: T) => z.looseObject({ type: z.literal(type) });

export const inputBlockSchema = z
  .discriminatedUnion('type', [
    textBlock,
    media('image'),
    media('audio'),
    media('binary'),
    documentBlock,
    searchResultBlock,
    thinkingBlock,
    z.object({ type: z.literal('redacted_thinking'), data: z.string() }),
    toolUse('tool_use'),
    toolUse('server_tool_use'),
    toolUse('mcp_tool_use'),
    toolResult('tool_result'),
    toolResult('server_tool_result'),
    toolResult('mcp_tool_result'),
    toolResult('web_search_tool_result'),
    toolResult('web_fetch_tool_result'),
    toolResult('code_execution_tool_result'),
    toolResult('bash_code_execution_tool_result'),
    toolResult('text_editor_code_execution_tool_result'),
    toolResult('tool_search_tool_result'),
    toolResult('advisor_tool_result'),
    midConversationSystem,
    z.looseObject({ type: z.literal('tldr'), content: z.array(z.looseObject({ type: z.string() })).default([]) }),
    opaque('source'),
    opaque('container_upload'),
    opaque('tool_reference'),
    opaque('resource_link'),
    opaque('resource'),
    opaque('local_resource'),
    opaque('compaction'),
    opaque('fallback'),
    opaque('tool_addition'),
    opaque('tool_removal'),
  ])
  .meta({ id: 'InputContentBlock' });

export type InputBlock = z.infer<typeof inputBlockSchema>;
export type InputBlockOf<Type extends InputBlock['type']> = Extract<InputBlock, { type: Type }>;
export type InputToolUse = InputBlockOf<(typeof TOOL_USE_TYPES)[number]>;
export type InputToolResult = InputBlockOf<(typeof TOOL_RESULT_TYPES)[number]>;

export const isToolUse = (block: InputBlock): block is InputToolUse =>
  (TOOL_USE_TYPES as readonly string[]).includes(block.type);

export const isToolResult = (block: InputBlock): block is InputToolResult =>
  (TOOL_RESULT_TYPES as readonly string[]).includes(block.type);
