/** What a key may do. `admin` manages keys and settings; `write` ingests and deletes; `read` asks and searches. */
export const SCOPES = ['read', 'write', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/**
 * Who is asking, and for which organisation.
 *
 * The first argument of everything that touches data, so that a query which forgets its organisation does not
 * compile (architecture §6, decision 10). Made by the guard from the key and `x-org`, never from a body.
 */
export interface Caller {
  /** A UUID; what rows, collections and files belong to. */
  readonly organisationId: string;
  /** The name in `x-org`. */
  readonly organisation: string;
  /** Absent in the local profile, where no key is needed. */
  readonly keyId?: string;
  readonly scopes: readonly Scope[];
}
