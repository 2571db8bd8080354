/** Pages of the web as results carry them: for clients with extended blocks, and for Anthropic's (messages-api §4.3, §4.4). */
import { z } from 'zod';

export const websiteSchema = z
  .object({
    object: z.literal('context.website'),
    id: z.string(),
    url: z.string(),
    title: z.string().optional(),
    description: z.string().optional(),
    content_type: z.string().optional(),
    metadata: z
      .looseObject({
        /** ISO 8601. */
        retrieved_at: z.string().optional(),
        author: z.string().optional(),
        /** As the page says. */
        published: z.string().optional(),
        language: z.string().optional(),
        canonical_url: z.string().optional(),
      })
      .optional(),
  })
  .meta({ id: 'Website' });

export type Website = z.infer<typeof websiteSchema>;

/** Why a page was not fetched, in the words that Anthropic clients know (anthropic-compat §9). */
export const WEB_FETCH_ERRORS = [
  'invalid_tool_input',
  'unavailable',
  'max_uses_exceeded',
  'too_many_requests',
  'url_too_long',
  'url_not_allowed',
  'url_not_in_prior_context',
  'url_not_accessible',
  'unsupported_content_type',
  'content_too_large',
] as const;

export type WebFetchError = (typeof WEB_FETCH_ERRORS)[number];

export const webFetchContentSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('web_fetch_result'),
    url: z.string(),
    retrieved_at: z.string(),
    content: z.strictObject({
      type: z.literal('document'),
      title: z.string().optional(),
      source: z.strictObject({ type: z.literal('text'), media_type: z.literal('text/plain'), data: z.string() }),
    }),
  }),
  z.strictObject({ type: z.literal('web_fetch_tool_result_error'), error_code: z.enum(WEB_FETCH_ERRORS) }),
]);
