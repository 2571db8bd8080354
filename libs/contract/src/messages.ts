/** The request and the whole answer of `POST /v1/messages` (messages-api §3, §8). */
import { z } from 'zod';
import { withAliases } from './aliases';
import { inputBlockSchema } from './blocks';
import { checkConversation } from './conversation-rules';
import { outputBlockSchema } from './output-blocks';
import { STOP_REASONS, usageSchema } from './stream-events';
import { systemSchema } from './system';
import { MAX_TOOLS, toolChoiceSchema, toolSpecSchema } from './tools';
import { toolContextSchema } from './tool-context';

const EMPTY = 'Value error, Message content cannot be empty: send a text, or at least one content block';

export const inputMessageSchema = z
  .object({
    role: z
      .enum(['user', 'assistant', 'system'])
      .nullish()
      .transform((role) => role ?? 'user'),
    content: z.union([z.string().min(1, EMPTY), z.array(inputBlockSchema).min(1, EMPTY)], {
      error: ({ input }) => (input == null || (Array.isArray(input) && input.includes(null)) ? EMPTY : undefined),
    }),
  })
  .meta({ id: 'InputMessage' });

export type InputMessage = z.infer<typeof inputMessageSchema>;

const unlessNegative = z
  .number()
  .nullish()
  .transform((value) => (value != null && value >= 0 ? value : undefined));
const orUndefined = <S extends z.ZodType>(schema: S) => schema.nullish().transform((value) => value ?? undefined);

const thinkingSchema = z.object({
  enabled: z.boolean().nullish(),
  type: z.enum(['enabled', 'adaptive', 'disabled']).nullish(),
  budget_tokens: z.number().int().nullish(),
  display: z.string().nullish(),
  effort: z.enum(['low', 'medium', 'high', 'xhigh', 'max']).nullish(),
});

const formatSchema = z.object({
  type: z.enum(['text', 'json_schema']).default('text'),
  json_schema: z.record(z.string(), z.unknown()).nullish(),
  schema: z.record(z.string(), z.unknown()).nullish(),
});

const requestFields = z.object({
  model: orUndefined(z.string().max(255)),
  messages: z
    .array(inputMessageSchema, { error: 'Value error, messages must be a list of messages' })
    .min(1, 'Value error, Messages cannot be empty')
    .max(2000, 'Value error, a request holds at most 2,000 messages'),
  max_tokens: orUndefined(z.number().int()).transform((value) =>
    value !== undefined && value > 0 ? value : undefined,
  ),
  stream: orUndefined(z.boolean()).transform((value) => value ?? false),
  system: systemSchema,
  tools: z.array(toolSpecSchema).max(MAX_TOOLS, `Value error, a request holds at most ${MAX_TOOLS} tools`).nullish(),
  tool_choice: orUndefined(toolChoiceSchema),
  tool_context: z.array(toolContextSchema).max(100).nullish(),
  mcp_servers: z.array(z.unknown()).max(100).nullish(),
  thinking: thinkingSchema.nullish(),
  response_format: formatSchema.nullish(),
  /** What `output_config.format` was called before. */
  output_format: formatSchema.nullish(),
  output_config: withAliases(
    z.object({
      effort: z.enum(['low', 'medium', 'high', 'xhigh', 'max']).nullish(),
      format: formatSchema.nullish(),
    }),
  ).nullish(),
  temperature: orUndefined(z.number().min(0).max(1)),
  top_p: orUndefined(z.number().min(0).max(1)),
  top_k: orUndefined(z.number().int().min(0)),
  min_p: orUndefined(z.number()),
  repetition_penalty: unlessNegative,
  presence_penalty: unlessNegative,
  frequency_penalty: unlessNegative,
  seed: unlessNegative,
  stop_sequences: orUndefined(z.array(z.string().min(1).max(1000)).max(16)).transform((value) => value ?? []),
  priority: z.number().int().nullish(),
  correlation_id: orUndefined(z.string().max(255)),
  metadata: z.looseObject({ user_id: z.string().max(512).nullish() }).nullish(),
  service_tier: z.string().max(100).nullish(),
  /** Refused by its own code: ignoring it would answer from a headless conversation (anthropic-compat §14). */
  thread: z.unknown().optional(),
});

/** Everything that the body alone can tell is checked here: shapes, ranges and the rules of messages-api §9. */
export const messagesRequestSchema = withAliases(requestFields)
  .superRefine(checkConversation)
  .meta({ id: 'MessagesRequest' });

export type MessagesRequest = z.infer<typeof messagesRequestSchema>;

export const messageSchema = z
  .strictObject({
    id: z.string(),
    type: z.literal('message'),
    role: z.literal('assistant'),
    content: z.array(outputBlockSchema),
    /** The id of the model that answered. */
    model: z.string(),
    stop_reason: z.enum(STOP_REASONS),
    stop_sequence: z.string().nullable(),
    usage: usageSchema,
  })
  .meta({ id: 'Message' });

export type Message = z.infer<typeof messageSchema>;

export const countTokensResponseSchema = z
  .object({
    input_tokens: z.number().int().min(1),
    /**
     * How good the number is. `model`: counted by the model's own tokenizer. `tokenizer`: by the vocabulary
     * o200k_base, mostly within a tenth. `estimate`: by the size of the text, mostly within a third.
     */
    counted_by: z.enum(['model', 'tokenizer', 'estimate']),
  })
  .meta({ id: 'CountTokensResponse' });

export type CountTokensResponse = z.infer<typeof countTokensResponseSchema>;

export const validationResponseSchema = z
  .object({ valid: z.boolean(), errors: z.array(z.string()).nullable() })
  .meta({ id: 'ValidationResponse' });

export type ValidationResponse = z.infer<typeof validationResponseSchema>;
