/** The events of a streamed answer, exactly (messages-api §10; anthropic-compat §10). */
import { z } from 'zod';
import { ERROR_TYPES } from './errors';
import { outputBlockSchema, citationSchema } from './output-blocks';

export const STOP_REASONS = ['end_turn', 'max_tokens', 'stop_sequence', 'tool_use', 'pause_turn', 'refusal'] as const;
export type StopReason = (typeof STOP_REASONS)[number];

export const usageSchema = z
  .strictObject({
    /** Tokens of the prompts of all model turns, less those read from a cache. */
    input_tokens: z.number().int().min(0),
    output_tokens: z.number().int().min(0),
    cache_creation_input_tokens: z.number().int().min(0).optional(),
    cache_read_input_tokens: z.number().int().min(0).optional(),
    /** Of Anthropic clients that use server tools by their dated types: how often they were run. */
    server_tool_use: z
      .strictObject({
        web_fetch_requests: z.number().int().min(0),
        web_search_requests: z.number().int().min(0),
      })
      .optional(),
  })
  .meta({ id: 'Usage' });

export type Usage = z.infer<typeof usageSchema>;

const deltaSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text_delta'), text: z.string(), citations: z.array(citationSchema).optional() }),
  z.strictObject({ type: z.literal('thinking_delta'), thinking: z.string() }),
  z.strictObject({ type: z.literal('signature_delta'), signature: z.string() }),
  z.strictObject({
    type: z.literal('input_json_delta'),
    partial_json: z.string(),
    partial_json_obj: z.record(z.string(), z.unknown()),
  }),
]);

const index = z.number().int().min(0);

export const streamEventSchema = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('message_start'),
      message: z.strictObject({
        id: z.string(),
        type: z.literal('message'),
        role: z.literal('assistant'),
        content: z.array(z.never()),
        model: z.string(),
        // Null for Anthropic clients, left out for native ones, who get no null in a stream.
        stop_reason: z.null().optional(),
        stop_sequence: z.null().optional(),
        usage: usageSchema,
      }),
    }),
    z.strictObject({
      type: z.literal('content_block_start'),
      index,
      block_id: z.string(),
      content_block: outputBlockSchema,
    }),
    z.strictObject({ type: z.literal('content_block_delta'), index, block_id: z.string(), delta: deltaSchema }),
    z.strictObject({ type: z.literal('content_block_stop'), index, block_id: z.string(), stop_timestamp: z.string() }),
    z.strictObject({
      type: z.literal('message_delta'),
      delta: z.strictObject({ stop_reason: z.enum(STOP_REASONS), stop_sequence: z.string().nullable().optional() }),
      usage: usageSchema,
    }),
    z.strictObject({ type: z.literal('message_stop') }),
    z.strictObject({ type: z.literal('ping') }),
    z.looseObject({
      type: z.literal('error'),
      error: z.looseObject({ type: z.enum(ERROR_TYPES), message: z.string() }),
    }),
  ])
  .meta({ id: 'StreamEvent' });

export type StreamEvent = z.infer<typeof streamEventSchema>;
export type StreamEventOf<Type extends StreamEvent['type']> = Extract<StreamEvent, { type: Type }>;
export type Delta = z.infer<typeof deltaSchema>;
