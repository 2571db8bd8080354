/**
 * Content blocks that the server emits, exactly (messages-api §4, §8).
 *
 * Optional fields are left out, never null: a strict client drops an answer over a `citations: null`
 * (anthropic-compat §7).
 */
import { z } from 'zod';
import { chunkSchema } from './chunks';
import { TOOL_USE_ID } from './ids';
import { webFetchContentSchema, websiteSchema } from './websites';

/** ISO 8601 in UTC with microseconds: `2026-02-06T13:18:37.331257Z`. */
const timestamp = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);

const stamps = { start_timestamp: timestamp.optional(), stop_timestamp: timestamp.optional() };

export const citationSchema = z
  .strictObject({
    /** The four-character mark that the model wrote. */
    id: z.string().nullable(),
    /** Counts distinct sources from 0 in order of first use. */
    index: z.number().int().nullable(),
    artifact_id: z.string().nullable(),
    /** The id of the chunk. */
    source_id: z.string().nullable(),
  })
  .meta({ id: 'Citation' });

export type Citation = z.infer<typeof citationSchema>;

const textBlock = z
  .strictObject({
    type: z.literal('text'),
    text: z.string(),
    citations: z.array(citationSchema).optional(),
    ...stamps,
  })
  .meta({ id: 'OutputTextBlock' });

const thinkingBlock = z
  .strictObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string(), ...stamps })
  .meta({ id: 'OutputThinkingBlock' });

const toolUseBlock = z
  .strictObject({
    type: z.literal('tool_use'),
    id: z.string().regex(TOOL_USE_ID),
    name: z.string(),
    input: z.record(z.string(), z.unknown()),
    /** Only where there is something to say: that the arguments do not fit the tool's schema, or may not, and why. */
    _meta: z
      .strictObject({ invalid_arguments: z.string().optional(), unchecked_arguments: z.string().optional() })
      .optional(),
    ...stamps,
  })
  .meta({ id: 'OutputToolUseBlock' });

const sourceBlock = z
  .strictObject({
    type: z.literal('source'),
    sources: z.array(z.discriminatedUnion('object', [chunkSchema, websiteSchema])),
    ...stamps,
  })
  .meta({ id: 'OutputSourceBlock' });

/** A file that a tool made; `data` and `mime_type` say the same for clients of the older form (messages-api §4.2). */
const binaryBlock = z
  .strictObject({
    type: z.literal('binary'),
    filename: z.string(),
    source: z.strictObject({ type: z.literal('base64'), data: z.base64(), media_type: z.string() }),
    data: z.base64(),
    mime_type: z.string(),
    ...stamps,
  })
  .meta({ id: 'OutputBinaryBlock' });

const resultText = z.strictObject({ type: z.literal('text'), text: z.string() });

const toolResultBlock = z
  .strictObject({
    type: z.literal('tool_result'),
    tool_use_id: z.string().regex(TOOL_USE_ID),
    content: z.array(z.discriminatedUnion('type', [resultText, sourceBlock, binaryBlock])),
    is_error: z.boolean(),
    ...stamps,
  })
  .meta({ id: 'OutputToolResultBlock' });

const mcpToolUseBlock = z
  .strictObject({
    type: z.literal('mcp_tool_use'),
    id: z.string().regex(TOOL_USE_ID),
    name: z.string(),
    server_name: z.string(),
    input: z.record(z.string(), z.unknown()),
    ...stamps,
  })
  .meta({ id: 'OutputMcpToolUseBlock' });

const mcpToolResultBlock = z
  .strictObject({
    type: z.literal('mcp_tool_result'),
    tool_use_id: z.string().regex(TOOL_USE_ID),
    content: z.array(resultText),
    is_error: z.boolean(),
    ...stamps,
  })
  .meta({ id: 'OutputMcpToolResultBlock' });

/** A call of a dated server tool, and what it returned: for Anthropic clients alone (anthropic-compat §9). */
const serverToolUseBlock = z
  .strictObject({
    type: z.literal('server_tool_use'),
    id: z.string().regex(TOOL_USE_ID),
    name: z.string(),
    input: z.record(z.string(), z.unknown()),
    ...stamps,
  })
  .meta({ id: 'OutputServerToolUseBlock' });

const webFetchResultBlock = z
  .strictObject({
    type: z.literal('web_fetch_tool_result'),
    tool_use_id: z.string().regex(TOOL_USE_ID),
    content: webFetchContentSchema,
    ...stamps,
  })
  .meta({ id: 'OutputWebFetchToolResultBlock' });

export const outputBlockSchema = z
  .discriminatedUnion('type', [
    textBlock,
    thinkingBlock,
    toolUseBlock,
    toolResultBlock,
    mcpToolUseBlock,
    mcpToolResultBlock,
    serverToolUseBlock,
    webFetchResultBlock,
    sourceBlock,
    binaryBlock,
  ])
  .meta({ id: 'OutputContentBlock' });

export type OutputBlock = z.infer<typeof outputBlockSchema>;
export type OutputBlockOf<Type extends OutputBlock['type']> = Extract<OutputBlock, { type: Type }>;
export type ResultContent = OutputBlockOf<'tool_result'>['content'][number];

/** A text block as tools return it. */
export const text = (words: string): ResultContent & { type: 'text' } => ({ type: 'text', text: words });

/** A file as tools return it. */
export function binary(filename: string, mediaType: string, bytes: Uint8Array): ResultContent & { type: 'binary' } {
  const data = Buffer.from(bytes).toString('base64');
  return {
    type: 'binary',
    filename,
    source: { type: 'base64', data, media_type: mediaType },
    data,
    mime_type: mediaType,
  };
}
