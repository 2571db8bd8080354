/** Messages that are answered in the background (messages-api §11). */
import { z } from 'zod';

/** What a caller may name a message: safe in a path, and not a path of its own. */
export const ASYNC_MESSAGE_ID = /^[A-Za-z0-9][A-Za-z0-9._:~-]{0,199}$/;

export const asyncMessageQuerySchema = z.object({
  /** Default: a UUID. */
  message_id: z
    .string()
    .regex(
      ASYNC_MESSAGE_ID,
      'Value error, message_id is 1 to 200 letters, digits and . _ : ~ -, beginning with a letter or a digit',
    )
    .optional(),
});

export const asyncMessageStartedSchema = z
  .strictObject({ message_id: z.string(), status: z.literal('pending'), message: z.string() })
  .meta({ id: 'AsyncMessageStarted' });

export type AsyncMessageStarted = z.infer<typeof asyncMessageStartedSchema>;

export const ASYNC_MESSAGE_STATUSES = ['pending', 'processing', 'completed', 'failed', 'cancelled', 'error'] as const;
export type AsyncMessageStatusName = (typeof ASYNC_MESSAGE_STATUSES)[number];

export const asyncMessageStatusSchema = z
  .strictObject({
    message_id: z.string(),
    status: z.enum(ASYNC_MESSAGE_STATUSES),
    created_at: z.string(),
    updated_at: z.string(),
    /** When it ended, in whatever way. */
    completed_at: z.string().nullable(),
    error_message: z.string().nullable(),
    stream_type: z.literal('chat_completion'),
    metadata: z.strictObject({
      message_count: z.number().int().min(1),
      tools_enabled: z.boolean(),
      thinking_enabled: z.boolean(),
      citations_enabled: z.boolean(),
    }),
  })
  .meta({ id: 'AsyncMessageStatus' });

export type AsyncMessageStatus = z.infer<typeof asyncMessageStatusSchema>;

export const asyncMessageCancelledSchema = z
  .strictObject({ message: z.string(), message_id: z.string() })
  .meta({ id: 'AsyncMessageCancelled' });

export type AsyncMessageCancelled = z.infer<typeof asyncMessageCancelledSchema>;
