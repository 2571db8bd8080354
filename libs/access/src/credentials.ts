export interface CredentialHeaders {
  readonly authorization?: string;
  /** `x-api-key` */
  readonly apiKey?: string;
  /** `x-org` */
  readonly organisation?: string;
}

/**
 * What the caller presents, in the contract's order (messages-api §1.1): the `Authorization` header, with or without
 * a scheme, then `x-api-key`. Clients send a stale one beside the good one, so each is worth a try.
 */
export function credentialsOf({ authorization, apiKey }: CredentialHeaders): string[] {
  const bare = authorization?.trim().replace(/^(?:Bearer|Basic)\s+/i, '');
  return [...new Set([bare, apiKey?.trim()].filter((credential) => !!credential))] as string[];
}
