import type { ModelInfo, ModelList } from '@app/contract';
import { InvalidRequestError } from '@app/contract';
import type { ChatModelInfo } from '../chat/chat-model';
import type { ListedModel } from '../chat/openai-compatible/listed-models';

const yes = { supported: true };
const no = { supported: false };
const when = (supported: boolean) => ({ supported });

/** A model as `GET /v1/models` shows it (messages-api §12.3), with what its own server says of it, if anything. */
export function modelInfo(model: ChatModelInfo, listed?: ListedModel): ModelInfo {
  const thinking = when(model.thinking);
  return {
    id: model.id,
    type: 'model',
    object: 'model',
    display_name: model.displayName,
    created_at: '1970-01-01T00:00:00Z',
    created: listed?.created ?? 0,
    owned_by: listed?.ownedBy ?? 'toolwright',
    max_tokens: model.maxOutputTokens,
    max_input_tokens: model.contextTokens,
    embed_dim: null,
    capabilities: {
      batch: no,
      citations: yes,
      code_execution: no,
      // Whatever the model: it gets the text of the file.
      pdf_input: yes,
      structured_outputs: when(model.structuredOutput),
      image_input: { supported: model.images, maximum: (model.images && model.maxImages) || null },
      audio_input: { supported: model.audio === true, maximum: (model.audio && model.maxAudios) || null },
      thinking: { ...thinking, types: { adaptive: thinking, enabled: thinking } },
      effort: { ...thinking, low: thinking, medium: thinking, high: thinking, max: thinking, xhigh: thinking },
      context_management: {
        supported: false,
        clear_thinking_20251015: no,
        clear_tool_uses_20250919: no,
        compact_20260112: no,
      },
    },
  };
}

/**
 * One page of a list. `has_more` tells whether there is more in the direction of the cursor.
 *
 * @throws InvalidRequestError when the cursor is no id of the list.
 */
export function modelPage(
  all: readonly ModelInfo[],
  { limit, after_id, before_id }: { limit: number; after_id?: string; before_id?: string },
): ModelList {
  const cursor = after_id ?? before_id;
  const at = cursor === undefined ? -1 : all.findIndex(({ id }) => id === cursor);
  if (cursor !== undefined && at === -1) {
    throw new InvalidRequestError(
      `${after_id === undefined ? 'before_id' : 'after_id'} is not the id of a model here.`,
    );
  }
  const backwards = before_id !== undefined && after_id === undefined;
  const begin = backwards ? Math.max(0, at - limit) : at + 1;
  const end = backwards ? at : Math.min(all.length, begin + limit);
  const data = all.slice(begin, end);
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: backwards ? begin > 0 : end < all.length,
  };
}
