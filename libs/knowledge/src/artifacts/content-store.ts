import type { Caller } from '@app/access';
import type { ContextFilter, IngestedDocument } from '@app/contract';

/** Artifacts whose content is shown in one answer (messages-api §14.5). */
export const MAX_CONTENTS = 20;

/** Port: artifacts in full, as they are searched. */
export abstract class ContentStore {
  /**
   * In the order of their names. A collection that is not there has none.
   *
   * @throws ArtifactNotReadyError, InvalidRequestError as a search does; TooLargeError for more than MAX_CONTENTS.
   */
  abstract read(caller: Caller, filter: ContextFilter): Promise<ArtifactText[]>;
}

export interface ArtifactText {
  readonly artifact: string;
  readonly document: IngestedDocument;
  readonly passages: readonly { readonly text: string; readonly headings: readonly string[] }[];
}
