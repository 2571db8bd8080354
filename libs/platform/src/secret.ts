import { inspect } from 'node:util';

const HIDDEN = '[secret]';

/** A value that cannot be printed by accident: not by JSON, templates, inspect or a logger (SEC-135). */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The value itself. Call it where it is used, and keep it in no variable that outlives the call. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return HIDDEN;
  }

  toJSON(): string {
    return HIDDEN;
  }

  [inspect.custom](): string {
    return HIDDEN;
  }
}
