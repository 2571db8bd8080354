/** `POST /v1/complete`, the text completions from before the Messages API (messages-api §12.4). */
import { z } from 'zod';
import { withAliases } from './aliases';

const orUndefined = <S extends z.ZodType>(schema: S) => schema.nullish().transform((value) => value ?? undefined);
const share = orUndefined(z.number().min(0).max(1));

export const completionRequestSchema = withAliases(
  z.object({
    model: z.string().min(1).max(255),
    prompt: z.string().min(1),
    max_tokens_to_sample: z.number().int().min(1),
    temperature: share,
    top_p: share,
    top_k: orUndefined(z.number().int().min(0)),
    stop_sequences: orUndefined(z.array(z.string().min(1).max(1000)).max(16)).transform((value) => value ?? []),
    metadata: z.looseObject({ user_id: z.string().max(512).nullish() }).nullish(),
    stream: orUndefined(z.boolean()).transform((value) => value ?? false),
  }),
).meta({ id: 'CompletionRequest' });

export type CompletionRequest = z.infer<typeof completionRequestSchema>;

const STOP_REASONS = ['stop_sequence', 'max_tokens', 'refusal'] as const;
const completionFields = {
  id: z.string(),
  type: z.literal('completion'),
  completion: z.string(),
  /** As the request named it. */
  model: z.string(),
};

export const completionSchema = z
  .strictObject({
    ...completionFields,
    /** A model that ends by itself has come to a stop sequence of its own. */
    stop_reason: z.enum(STOP_REASONS),
    /** The stop sequence of the request that it was, if any. */
    stop: z.string().nullable(),
  })
  .meta({ id: 'Completion' });

export type Completion = z.infer<typeof completionSchema>;

/** One piece of a completion; the last says why it ends. */
export const completionEventSchema = z
  .discriminatedUnion('type', [
    z.strictObject({
      ...completionFields,
      stop_reason: z.enum(STOP_REASONS).nullable(),
      stop: z.string().nullable(),
    }),
    z.strictObject({ type: z.literal('ping') }),
    z.looseObject({ type: z.literal('error') }),
  ])
  .meta({ id: 'CompletionEvent' });

export type CompletionEvent = z.infer<typeof completionEventSchema>;
