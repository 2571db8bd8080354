/** `tools` and `tool_choice` of a request (messages-api §5.1, §5.2). */
import { z } from 'zod';
import { withAliases } from './aliases';
import { toolContextSchema } from './tool-context';

export const MAX_TOOLS = 128;

export const MAX_TOOL_NAME = 200;

/** SEC-98. */
const toolName = z
  .string({ error: 'Value error, Invalid tool specification: a tool needs a name' })
  .min(1, 'Value error, Invalid tool specification: a tool needs a name')
  .max(
    MAX_TOOL_NAME,
    `Value error, Invalid tool specification: the name of a tool has at most ${MAX_TOOL_NAME} characters`,
  )
  .refine(
    (name) => !/\p{Cc}/u.test(name),
    'Value error, Invalid tool specification: the name of a tool has no control characters',
  );

const toolSpecFields = z
  .object({
    name: toolName,
    type: z.string().max(200).nullish(),
    description: z.string().max(100_000).nullish(),
    input_schema: z.record(z.string(), z.unknown()).nullish(),
    /** Overrides the global `tool_context` for this tool. */
    context: z.array(toolContextSchema).max(100).nullish(),
    defer_loading: z.boolean().nullish(),
    instructions: z.string().max(100_000).nullish(),
    /** Of Anthropic's dated web tools; of the others it is ignored (anthropic-compat §6). */
    max_uses: z.number().int().min(1).nullish(),
    allowed_domains: z.array(z.string().max(300)).max(500).nullish(),
    blocked_domains: z.array(z.string().max(300)).max(500).nullish(),
    max_content_tokens: z.number().int().min(1).nullish(),
  })
  .meta({ id: 'ToolSpec' });

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** One tool as the caller declared it; a bare string is short for a built-in type. */
export const toolSpecSchema = z.union([withAliases(toolSpecFields), z.string().min(1).max(200)], {
  error: (issue) =>
    issue.code === 'invalid_union' && !isObject(issue.input)
      ? 'Value error, Invalid tool specification: a tool is an object, or the type of a built-in tool as a string'
      : undefined,
});

export type ToolSpec = z.infer<typeof toolSpecFields>;

export const toolChoiceSchema = z
  .preprocess(
    (value) => (typeof value === 'string' ? { type: value } : value),
    withAliases(
      z.object({
        type: z.enum(['auto', 'any', 'tool', 'none']).default('auto'),
        name: z.string().max(200).nullish(),
        disable_parallel_tool_use: z
          .boolean()
          .nullish()
          .transform((value) => value ?? false),
        validation_mode: z
          .enum(['eager', 'lazy'])
          .nullish()
          .transform((value) => value ?? 'lazy'),
      }),
    ),
  )
  .meta({ id: 'ToolChoice' });

export type ToolChoice = z.infer<typeof toolChoiceSchema>;

/**
 * The canonical name of a built-in tool type, with any version or none: `web_extract_v1` → `web_fetch`.
 * Returns the type without its version where it is no built-in.
 */
export function canonicalToolName(type: string): string {
  // Anthropic's dated type of it stands for the same tool (messages-api §5.1).
  const bare = type.replace(/_v\d+$|(?<=^web_fetch)_\d{8}$/, '');
  return bare === 'web_extract' ? 'web_fetch' : bare;
}
