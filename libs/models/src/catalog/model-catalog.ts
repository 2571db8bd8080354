import type { ModelInfo, ModelList } from '@app/contract';
import type { ChatModel } from '../chat/chat-model';

/** Port: which chat models there are, and which one answers a request that names `default` or `claude-*`. */
export abstract class ModelCatalog {
  /**
   * The model for a request's `model`; absent, `default` and `claude-*` mean the default one.
   *
   * @throws ModelNotFoundError that lists the first few that exist.
   */
  abstract resolve(model?: string): ChatModel;

  abstract list(page: { limit: number; after_id?: string; before_id?: string }): ModelList;

  /** @throws ModelNotFoundError */
  abstract get(id: string): ModelInfo;
}
