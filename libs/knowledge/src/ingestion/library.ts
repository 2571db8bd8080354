import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Caller } from '@app/access';
import { InvalidRequestError, type IngestBody, type IngestedDocument } from '@app/contract';
import type { Embedder } from '@app/models';
import type {
  ArtifactAddress,
  ArtifactOrigin,
  ArtifactStore,
  NewChunk,
  NewTable,
  StoredArtifact,
} from '../artifacts/artifact-store';
import { IngestCancelledError } from '../artifacts/artifact.errors';
import { ingestedDocument } from '../artifacts/ingested-document';
import type { ChunkIndex } from '../index/chunk-index';
import type { WebPages } from '../web/web-pages';
import { UnsupportedFileError } from '../parsers/parser-errors';
import type { ImportedTable } from '../tables/import-tables';
import type { TableFiles } from '../tables/table-files';
import type { DocumentReader, ReadChunk } from './document-reader';
import { embeddingText, passageWords } from './embedding-text';
import type { IndexSweeper } from './index-sweeper';
import { IngestTurns } from './ingest-turns';
import { NameQueue } from './name-queue';
import { checkSource, readSource, sizeOf, type Source } from './source';
import { fetchSource, type FetchedSource } from './uri-source';

/** Texts that are embedded in one call, and records that go to the index in one write. */
const EMBED_BATCH = 64;
const INDEX_BATCH = 1024;
/** A fetched document that has more bytes goes to the disk as it comes. */
const SPOOL_FROM = 8 * 1024 * 1024;
const SPOOLED = 'fetched';

export interface LibraryParts {
  readonly store: ArtifactStore;
  readonly index: ChunkIndex;
  readonly tables: TableFiles;
  readonly sweeper: IndexSweeper;
  readonly embedder: Embedder;
  readonly reader: DocumentReader;
  /** Fetches what is ingested by its address. */
  readonly web: Pick<WebPages, 'document' | 'checkDocument'>;
  readonly maxFileBytes: number;
  /** Content that may wait for its turn. */
  readonly maxWaitingBytes: number;
}

/**
 * The ingested documents: taking in, listing, removing (messages-api §14.1, 14.3, 14.4).
 *
 * Two stores are kept as one. A revision is opened in the database, written to the index, where nobody sees it, and
 * published by one transaction; it lives from then on, complete. Whatever ends halfway was never there.
 */
export class Library {
  private readonly queue = new NameQueue();
  private readonly turns: IngestTurns;
  /** What is being ingested or waits for it, by name. */
  private readonly ingests = new Map<string, Set<AbortController>>();

  constructor(private readonly parts: LibraryParts) {
    this.turns = new IngestTurns(parts.maxWaitingBytes);
  }

  /**
   * Ingests one document; what was under its name before is replaced. Ingests of the same name come one after another,
   * the last one wins.
   *
   * @param body loses its content when it is the ingest's turn.
   * @returns the document, or nothing where it is already there with the same content.
   * @throws InvalidRequestError, TooLargeError for what cannot be taken; nothing has changed then.
   * @throws OverloadedError where it would have to wait, and too much waits already.
   * @throws IngestCancelledError where `remove` came in between.
   */
  async ingest(caller: Caller, body: IngestBody, signal?: AbortSignal): Promise<IngestedDocument[]> {
    checkSource(body, this.parts.maxFileBytes);
    if (body.input.type === 'uri') this.parts.web.checkDocument(body.input.value);
    const turn = this.turns.admit(caller.organisationId, body.input.value.length);
    const name = nameOf(caller, body);
    const cancel = new AbortController();
    const cancels = this.ingests.get(name) ?? new Set();
    this.ingests.set(name, cancels.add(cancel));
    const either = signal ? AbortSignal.any([signal, cancel.signal]) : cancel.signal;
    try {
      return await this.queue.run(name, async () => {
        await turn.begin(either);
        return this.replace(caller, body, either);
      });
    } catch (error) {
      throw cancel.signal.aborted ? new IngestCancelledError(body.artifact) : error;
    } finally {
      turn.end();
      cancels.delete(cancel);
      if (cancels.size === 0) this.ingests.delete(name);
    }
  }

  /** In the order of their artifact ids. A collection that is not there is empty. */
  async list(caller: Caller, collection: string): Promise<IngestedDocument[]> {
    return (await this.parts.store.list(caller, collection)).map(ingestedDocument);
  }

  /**
   * Removes a document for good, and cancels what is being ingested under its name.
   * @throws InvalidRequestError where there is none.
   */
  async remove(caller: Caller, address: ArtifactAddress): Promise<void> {
    const cancels = this.ingests.get(nameOf(caller, address)) ?? [];
    const cancelled = [...cancels];
    for (const cancel of cancelled) cancel.abort();
    const removed = await this.parts.store.remove(caller, address);
    this.parts.sweeper.kick();
    if (!removed && cancelled.length === 0) {
      throw new InvalidRequestError(
        `The artifact ${address.artifact} is not ingested in the collection ${address.collection}.`,
      );
    }
  }

  /** Finishes or undoes what a killed server left half done. Once, before anything else. */
  recover(): Promise<void> {
    return this.parts.sweeper.recover();
  }

  private async replace(caller: Caller, body: IngestBody, signal: AbortSignal): Promise<IngestedDocument[]> {
    const { artifact, collection } = body;
    const { store, sweeper, embedder, tables } = this.parts;
    const identity = { id: embedder.id, dimensions: await embedder.dimensions(signal) };
    const current = await store.find(caller, { collection, artifact });
    const comparable = current?.embedder.id === identity.id && current.embedder.dimensions === identity.dimensions;
    const revision = randomUUID();
    const source: (Source & { readonly origin?: ArtifactOrigin }) | undefined =
      body.input.type === 'uri'
        ? await this.fetch(caller, body, revision, comparable ? current : undefined, signal)
        : await readSource(caller, body);
    if (!source || (current?.contentHash === source.contentHash && comparable)) {
      await tables.drop(caller, revision);
      return [];
    }

    const byteSize = sizeOf(source.content);
    let published = false;
    sweeper.opened(revision);
    try {
      const collectionId = await store.open(caller, { artifact, collection, revision, embedder: identity, byteSize });
      const folder = tables.draft(caller, revision);
      const { fileName, chunks, tables: read } = await this.read(artifact, source, folder, signal);
      const stored = await this.write(collectionId, revision, chunks, signal);
      const { contentHash, metadata, origin } = source;
      const content = {
        ...{ artifact, collection, fileName, contentHash, byteSize, metadata, origin },
        chunks: stored,
        tables: await this.keep(caller, revision, read),
      };
      signal.throwIfAborted();
      const document = ingestedDocument(await store.publish(caller, revision, content));
      published = true;
      return [document];
    } finally {
      sweeper.closed(revision, { published });
    }
  }

  /** A large document is not kept in memory: it is written where its tables will be made. */
  private async fetch(
    caller: Caller,
    body: IngestBody,
    revision: string,
    current: StoredArtifact | undefined,
    signal: AbortSignal,
  ): Promise<FetchedSource | undefined> {
    const { tables, web } = this.parts;
    const spool = { file: join(tables.draft(caller, revision), SPOOLED), from: SPOOL_FROM };
    try {
      const source = await fetchSource(web, caller, body, current, signal, spool);
      signal.throwIfAborted();
      return source;
    } catch (error) {
      await tables.drop(caller, revision);
      throw error;
    }
  }

  private async read(artifact: string, { content, fileName, charset }: Source, folder: string, signal: AbortSignal) {
    const { reader, embedder } = this.parts;
    const bytes = content instanceof Uint8Array ? content : new Uint8Array();
    const file = {
      name: fileName ?? '',
      bytes,
      charset,
      ...(!(content instanceof Uint8Array) && { path: content.path }),
    };
    const maxWords = passageWords(embedder.maxWords);
    const { format, chunks, tables } = await reader.read(file, { maxWords, folder }, signal);
    if (chunks.length === 0 && tables.length === 0) throw new UnsupportedFileError('the file has no text to read.');
    return { fileName: fileName ?? named(artifact, format), chunks, tables };
  }

  /** Puts the tables that were read into their place. */
  private async keep(caller: Caller, revision: string, read: readonly ImportedTable[]): Promise<NewTable[]> {
    if (read.length === 0) {
      await this.parts.tables.drop(caller, revision);
      return [];
    }
    const place = await this.parts.tables.keep(caller, revision);
    return read.map(({ file, report }) => ({ file: `${place}/${file}`, report }));
  }

  /** Embeds chunks and puts them into the index, in batches. */
  private async write(
    collection: string,
    revision: string,
    chunks: readonly ReadChunk[],
    signal: AbortSignal,
  ): Promise<NewChunk[]> {
    const { embedder, index } = this.parts;
    const stored = chunks.map(({ terms: _, ...chunk }) => ({ ...chunk, id: randomUUID() }));
    for (let at = 0; at < chunks.length; at += INDEX_BATCH) {
      const vectors: Float32Array[] = [];
      const batch = chunks.slice(at, at + INDEX_BATCH);
      for (let from = 0; from < batch.length; from += EMBED_BATCH) {
        signal.throwIfAborted();
        const texts = batch.slice(from, from + EMBED_BATCH).map(embeddingText);
        vectors.push(...(await embedder.embed(texts, signal)));
      }
      signal.throwIfAborted();
      const records = batch.map(({ terms }, offset) => ({
        chunk: (stored[at + offset] as NewChunk).id,
        revision,
        vector: vectors[offset] as Float32Array,
        terms,
      }));
      await index.add(collection, records);
    }
    return stored;
  }
}

const nameOf = ({ organisationId }: Caller, { collection, artifact }: ArtifactAddress) =>
  JSON.stringify([organisationId, collection, artifact]);

const EXTENSIONS: Readonly<Record<string, string>> = { text: '.txt', markdown: '.md' };

/** The file name of what came without one: the artifact's, with the extension of what the content turned out to be. */
function named(artifact: string, format: string): string {
  const extension = EXTENSIONS[format] ?? `.${format}`;
  return artifact.toLowerCase().endsWith(extension) ? artifact : `${artifact}${extension}`;
}
