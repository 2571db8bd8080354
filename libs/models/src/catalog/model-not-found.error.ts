import { NotFoundError } from '@app/contract';

const SHOWN = 10;

/** No model has the id that was asked for. The API decides by dialect whether it is a 400 or a 404. */
export class ModelNotFoundError extends NotFoundError {
  /** @param available ids that do exist; the first ten are told. */
  constructor(model: string, available: readonly string[]) {
    const shown = available.slice(0, SHOWN).join(', ') + (available.length > SHOWN ? ', …' : '');
    super(`Model '${cut(model)}' not found. Available: ${shown || 'none'}`);
  }
}

const cut = (model: string) => (model.length > 255 ? `${model.slice(0, 255)}…` : model);
