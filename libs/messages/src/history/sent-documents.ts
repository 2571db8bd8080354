/**
 * The files of a request, as text for a model that reads none.
 *
 * They are parsed before the conversation is built, so that all the rest of it stays synchronous. A document that
 * cannot be read refuses the request by its name; one in a result that stands in an assistant message leaves a note.
 */
import type { Caller } from '@app/access';
import {
  InvalidRequestError,
  isToolResult,
  sentDocumentSchema,
  type InputBlockOf,
  type InputMessage,
  type InputToolResult,
} from '@app/contract';
import type { DocumentTexts, SentFile } from '@app/knowledge';
import { abortSignalOf, type StopSignal } from '@app/platform';
import { linkOf } from './media';

export type SentDocument = InputBlockOf<'document' | 'binary'>;

/** What documents hold, by the block that brought them. */
export type SentDocuments = ReadonlyMap<object, string>;

export const NO_DOCUMENTS: SentDocuments = new Map();

interface Found {
  readonly block: object;
  readonly document: SentDocument;
  /** The note that stands for it, where it could not be fetched again. */
  readonly file: SentFile | string;
  /** Whether a note does where it cannot be read. */
  readonly isOurs: boolean;
}

/** Documents that have to be parsed, of one request. */
const MAX_FILES = 100;

/**
 * @param linked the files that were fetched for the request, by their address.
 * @throws InvalidRequestError that names the document, and OverloadedError when too many wait to be read.
 */
export async function readDocuments(
  caller: Caller,
  messages: readonly InputMessage[],
  texts: DocumentTexts,
  linked: ReadonlyMap<string, SentFile | string>,
  signal?: StopSignal,
): Promise<SentDocuments> {
  const found = filesIn(messages, linked);
  if (found.length === 0) return NO_DOCUMENTS;
  if (found.length > MAX_FILES) {
    throw new InvalidRequestError(
      `limit_exceeded: a request holds at most ${MAX_FILES} documents to be read, this one has ${found.length}. ` +
        'Ingest them and use semantic_search_v1.',
    );
  }
  const read = new Map<object, string>();
  for (const { block, document, file, isOurs } of found) {
    try {
      read.set(
        block,
        typeof file === 'string' ? file : (await texts.read(caller, file, signal && abortSignalOf(signal))).text,
      );
    } catch (error) {
      if (!(error instanceof InvalidRequestError)) throw error;
      if (!isOurs) throw new InvalidRequestError(`${nameOf(document)} cannot be read: ${error.message}`);
    }
  }
  return read;
}

/** For people: `The document "contract.pdf"`. */
export function nameOf(document: SentDocument): string {
  const title = document.type === 'document' ? document.title : document.filename;
  return title ? `The document "${title.slice(0, 200)}"` : 'A document without a title';
}

function filesIn(messages: readonly InputMessage[], linked: ReadonlyMap<string, SentFile | string>): Found[] {
  const found: Found[] = [];
  const add = (block: object, document: SentDocument, isOurs: boolean) => {
    const file = fileOf(document) ?? linked.get(urlOf(document) ?? '');
    if (file) found.push({ block, document, file, isOurs });
  };
  for (const { role, content } of messages) {
    if (typeof content === 'string') continue;
    for (const block of content) {
      if (block.type === 'document' || block.type === 'binary') add(block, block, false);
      else if (isToolResult(block)) {
        for (const part of documentsIn(block.content)) {
          const isOurs = role === 'assistant';
          // The model did not get our own files the first time either.
          const document = isOurs && 'type' in part && part.type === 'binary' ? undefined : asDocument(part, isOurs);
          if (document) add(part, document, isOurs);
        }
      }
    }
  }
  return found;
}

/** The documents inside a result; the result of a fetch has one further inside. */
export function documentsIn(content: InputToolResult['content']): readonly object[] {
  if (typeof content === 'string') return [];
  return [content].flat().flatMap((part) => {
    const inner = part.type === 'web_fetch_result' ? part.content : part;
    return isDocument(inner) ? [inner] : [];
  });
}

export const isDocument = (part: unknown): part is { type: 'document' | 'binary' } =>
  typeof part === 'object' && part !== null && 'type' in part && (part.type === 'document' || part.type === 'binary');

/**
 * A document inside a result, which the schema of the request lets pass as it is.
 *
 * @returns undefined for one of ours that is no document.
 * @throws InvalidRequestError
 */
export function asDocument(part: object, isOurs: boolean): SentDocument | undefined {
  const parsed = sentDocumentSchema.safeParse(part);
  if (parsed.success) return parsed.data;
  if (isOurs) return undefined;
  const { path, message } = parsed.error.issues[0]!;
  throw new InvalidRequestError(
    `A document in a tool result is not one: ${path.length > 0 ? `${path.join('.')}: ` : ''}${message}`,
  );
}

function urlOf(document: SentDocument): string | undefined {
  if (document.type === 'binary') return linkOf(document);
  return document.source.type === 'url' ? (document.source.url ?? document.source.uri ?? undefined) : undefined;
}

function fileOf(document: SentDocument): SentFile | undefined {
  const { source } = document;
  const name = document.type === 'binary' ? (document.filename ?? undefined) : undefined;
  if (source?.type === 'base64') return { base64: source.data, mediaType: source.media_type, name };
  if (document.type === 'binary' && document.data) {
    return { base64: document.data, mediaType: document.mime_type ?? '', name };
  }
  return undefined;
}
