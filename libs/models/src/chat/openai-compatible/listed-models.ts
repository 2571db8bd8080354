/** What `GET /v1/models` of a model server tells, in the words of whichever server it is. */
export interface ListedModel {
  readonly id: string;
  /** Tokens of prompt and answer together; absent where the server does not say. */
  readonly contextTokens?: number;
  /** Tokens of one answer at most; absent where the server does not say. */
  readonly maxOutputTokens?: number;
  /** Seconds since 1970. */
  readonly created?: number;
  readonly ownedBy?: string;
  /** Whether it calls tools; absent where the server does not say. */
  readonly tools?: boolean;
  /** Whether it reads images; absent where the server does not say. */
  readonly images?: boolean;
  /** Whether it hears. */
  readonly audio?: boolean;
}

const MAX_MODELS = 1000;
const MAX_ID_CHARACTERS = 255;

/** The models of a list, in its order and without repetition; empty for whatever is no list. */
export function listedModels(list: unknown): ListedModel[] {
  const { data, models } = (isObject(list) ? list : {}) as { data?: unknown; models?: unknown };
  const entries = [data, models, list].find(Array.isArray) ?? [];
  const byId = new Map<string, ListedModel>();
  for (const entry of entries.slice(0, MAX_MODELS)) {
    const model = isObject(entry) ? listedModel(entry as Record<string, unknown>) : undefined;
    if (model && !byId.has(model.id)) byId.set(model.id, model);
  }
  return [...byId.values()];
}

function listedModel(entry: Record<string, unknown>): ListedModel | undefined {
  const { id, created, owned_by: ownedBy } = entry;
  if (typeof id !== 'string' || id === '' || id.length > MAX_ID_CHARACTERS) return undefined;
  const contextTokens = contextOf(entry);
  const maxOutputTokens = outputOf(entry);
  const { images, audio } = sensesOf(entry);
  const tools = toolsOf(entry);
  return {
    id,
    ...(contextTokens !== undefined && { contextTokens }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(isCount(created) && { created }),
    ...(typeof ownedBy === 'string' && { ownedBy }),
    ...(tools !== undefined && { tools }),
    ...(images !== undefined && { images }),
    ...(audio !== undefined && { audio }),
  };
}

/** vLLM, OpenRouter and Together, Groq, Mistral and LM Studio; llama.cpp keeps it under `meta`. */
function contextOf(entry: Record<string, unknown>): number | undefined {
  const meta = (isObject(entry.meta) ? entry.meta : {}) as Record<string, unknown>;
  return [
    entry.max_model_len,
    entry.loaded_context_length,
    entry.context_length,
    entry.context_window,
    entry.max_context_length,
    meta.n_ctx,
    meta.n_ctx_train,
  ].find(isCount);
}

/** Groq; OpenRouter keeps it under `top_provider`. */
function outputOf({ max_completion_tokens: own, top_provider: provider }: Record<string, unknown>): number | undefined {
  const { max_completion_tokens: theirs } = (isObject(provider) ? provider : {}) as Record<string, unknown>;
  return [own, theirs].find(isCount);
}

function sensesOf({ architecture, capabilities }: Record<string, unknown>): Pick<ListedModel, 'images' | 'audio'> {
  const modalities = isObject(architecture) && 'input_modalities' in architecture && architecture.input_modalities;
  if (Array.isArray(modalities)) return { images: modalities.includes('image'), audio: modalities.includes('audio') };
  if (Array.isArray(capabilities)) {
    const isMultimodal = capabilities.includes('multimodal') || capabilities.includes('vision');
    return { images: isMultimodal, audio: capabilities.includes('audio') };
  }
  const { vision, audio } = (isObject(capabilities) ? capabilities : {}) as { vision?: unknown; audio?: unknown };
  return {
    ...(vision !== undefined && { images: vision === true }),
    ...(audio !== undefined && { audio: audio === true }),
  };
}

/**
 * OpenRouter lists the parameters that a model takes, Mistral its abilities. A list of abilities without tools, as that
 * of llama.cpp, says nothing: it never names them.
 */
function toolsOf({ supported_parameters: parameters, capabilities }: Record<string, unknown>): boolean | undefined {
  if (Array.isArray(parameters)) return parameters.includes('tools');
  const { function_calling: calling, tools = calling } = (isObject(capabilities) ? capabilities : {}) as {
    function_calling?: unknown;
    tools?: unknown;
  };
  return typeof tools === 'boolean' ? tools : undefined;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;
