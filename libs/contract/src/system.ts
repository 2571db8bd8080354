/** The `system` field in all its forms, folded into one (messages-api §3.3). */
import { z } from 'zod';

const knownCitation = z.object({
  id: z.string().nullish(),
  index: z.number().int().nullish(),
  artifact_id: z.string().nullish(),
  source_id: z.string().nullish(),
});

const flag = z.boolean().nullish();

/** Parts of the platform's prompt, each by its name. */
const promptFlags = z.object({ tools: flag, citations: flag, thinking: flag, code_execution: flag, skills: flag });

const citationOptions = z.object({ enabled: flag, known_citations: z.array(knownCitation).max(10_000).nullish() });

/** A text block, or Zylon's System object: the same fields, all optional. */
const systemEntry = z
  .object({
    /** Only to tell what is no text, and would be lost. */
    type: z.string().max(100).nullish(),
    text: z.string().nullish(),
    use_default_prompt: flag,
    /** A list is what Anthropic's text blocks may carry; it says nothing here. */
    citations: z.union([citationOptions, z.array(z.unknown()).transform(() => undefined)]).nullish(),
    extensions: z.array(z.string().max(100)).max(20).nullish(),
    blob_visibility: z.enum(['binary', 'internal', 'public']).nullish(),
    prompt: promptFlags.nullish(),
    prompt_config: promptFlags.nullish(),
  })
  .meta({ id: 'System' });

const systemInput = z.union([z.string(), systemEntry]);

export interface System {
  /** The caller's system prompt; empty when there is none. */
  readonly text: string;
  readonly useDefaultPrompt: boolean;
  /** Parts of the platform's prompt that are wanted. What there is nothing to say about is not here. */
  readonly prompt: { readonly tools: boolean; readonly thinking: boolean };
  readonly citations: boolean;
  readonly knownCitations: readonly KnownCitation[];
  /** Whether extended blocks (`source`, `binary`, `tldr`) may appear in the answer. */
  readonly zylon: boolean;
}

/** A source that an earlier answer cited, and the index it had. */
export interface KnownCitation {
  readonly id: string;
  readonly index: number;
  readonly artifact_id: string | null;
  readonly source_id: string | null;
}

export const systemSchema = z.union([systemInput, z.array(systemInput).max(1000)]).nullish();

/** Merges the entries: texts by newline, booleans by OR, lists by union. */
export function foldSystem(system: z.infer<typeof systemSchema>): System {
  const entries = (Array.isArray(system) ? system : system == null ? [] : [system]).map((entry) =>
    typeof entry === 'string' ? { text: entry } : entry,
  );
  const known = new Map<string, KnownCitation>();
  for (const entry of entries) {
    for (const { id, index, artifact_id, source_id } of entry.citations?.known_citations ?? []) {
      if (id != null && index != null) {
        known.set(id, { id, index, artifact_id: artifact_id ?? null, source_id: source_id ?? null });
      }
    }
  }
  const useDefaultPrompt = entries.some(({ use_default_prompt }) => use_default_prompt === true);
  const wants = (part: 'tools' | 'thinking') =>
    useDefaultPrompt || entries.some(({ prompt, prompt_config }) => (prompt?.[part] ?? prompt_config?.[part]) === true);
  return {
    text: entries
      .map(({ text }) => text)
      .filter(Boolean)
      .join('\n'),
    useDefaultPrompt,
    prompt: { tools: wants('tools'), thinking: wants('thinking') },
    citations: entries.some(({ citations }) => citations?.enabled === true),
    knownCitations: [...known.values()],
    zylon: entries.some(({ extensions }) => extensions?.includes('zylon') === true),
  };
}
