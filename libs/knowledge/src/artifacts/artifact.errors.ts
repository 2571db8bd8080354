import { InvalidRequestError } from '@app/contract';

/** 400: a listed artifact is missing, not complete yet, or another organisation's; all in the same words (SEC-105). */
export class ArtifactNotReadyError extends InvalidRequestError {
  constructor(artifact: string) {
    super(`The context cannot be used: artifact=${artifact} is not initialized.`);
  }
}

/** 400: the artifact was deleted while it was being ingested, and stays so (SEC-107). */
export class IngestCancelledError extends InvalidRequestError {
  constructor(artifact: string) {
    super(`The artifact ${artifact} was deleted while it was being ingested.`);
  }
}

/** 400: vectors of two embedders cannot be compared. */
export class EmbedderMismatchError extends InvalidRequestError {
  constructor(collection: string, built: EmbedderIdentity, configured: EmbedderIdentity) {
    super(
      `The collection ${collection} was built with the embedder ${inWords(built)}, but the server now uses ` +
        `${inWords(configured)}. Use another collection, or delete its artifacts and ingest them again.`,
    );
  }
}

/** What a collection was built with; only vectors of the same are compared. */
export interface EmbedderIdentity {
  readonly id: string;
  readonly dimensions: number;
}

const inWords = ({ id, dimensions }: EmbedderIdentity) => `${id} (${dimensions} dimensions)`;
