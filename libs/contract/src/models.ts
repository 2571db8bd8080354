/** What `GET /v1/models` says of a model (messages-api §12.3; anthropic-compat §12). */
import { z } from 'zod';

const supported = z.object({ supported: z.boolean() });
const media = z.object({ supported: z.boolean(), maximum: z.number().int().nullable() });

/** Anthropic's keys and OpenAI's side by side: each client reads its own. */
export const modelInfoSchema = z
  .object({
    id: z.string(),
    type: z.literal('model'),
    object: z.literal('model'),
    display_name: z.string(),
    created_at: z.string(),
    created: z.number().int(),
    owned_by: z.string(),
    max_tokens: z.number().int(),
    max_input_tokens: z.number().int(),
    embed_dim: z.number().int().nullable(),
    capabilities: z.object({
      batch: supported,
      citations: supported,
      code_execution: supported,
      pdf_input: supported,
      structured_outputs: supported,
      image_input: media,
      audio_input: media,
      thinking: z.object({
        supported: z.boolean(),
        types: z.object({ adaptive: supported, enabled: supported }),
      }),
      effort: z.object({
        supported: z.boolean(),
        low: supported,
        medium: supported,
        high: supported,
        max: supported,
        xhigh: supported,
      }),
      context_management: z.object({
        supported: z.boolean(),
        clear_thinking_20251015: supported,
        clear_tool_uses_20250919: supported,
        compact_20260112: supported,
      }),
    }),
  })
  .meta({ id: 'ModelInfo' });

export type ModelInfo = z.infer<typeof modelInfoSchema>;

export const modelListSchema = z
  .object({
    object: z.literal('list'),
    data: z.array(modelInfoSchema),
    first_id: z.string().nullable(),
    last_id: z.string().nullable(),
    has_more: z.boolean(),
  })
  .meta({ id: 'ModelList' });

export type ModelList = z.infer<typeof modelListSchema>;

export const modelsQuerySchema = z
  .object({
    limit: z.coerce.number().int().min(1).max(1000).default(100),
    after_id: z.string().max(255).optional(),
    before_id: z.string().max(255).optional(),
  })
  .refine(({ after_id, before_id }) => after_id === undefined || before_id === undefined, {
    error: 'Value error, after_id and before_id exclude each other',
    path: ['after_id'],
  });
