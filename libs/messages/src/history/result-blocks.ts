import { sentImageSchema, type InputToolResult } from '@app/contract';
import type { ConversationBlock } from '@app/models';
import { documentInResult } from './document-blocks';
import { linkOf, mediaBlock, type Senses } from './media';
import { asDocument, documentsIn, isDocument, type SentDocuments } from './sent-documents';

export interface ResultParts {
  readonly senses: Senses;
  readonly documents: SentDocuments;
  /** Whether this server gave the result: what is no use to a model then leaves a note, and is never refused. */
  readonly isOurs: boolean;
  /** The number of the next image. */
  readonly numberFrom?: number;
}

/**
 * What stands in a result, as text; what has no text leaves a visible note rather than nothing. Images go on to a
 * model that surely sees, which gets them after the text: the wire has no place for them inside.
 *
 * @throws InvalidRequestError for a document of the caller's that is none.
 */
export function toolResultBlocks(content: InputToolResult['content'], parts: ResultParts) {
  const images: ConversationBlock[] = [];
  if (typeof content === 'string') return { content, images };
  const texts = [content].flat().map((part) => {
    if (part.type === 'text' && typeof part.text === 'string') return part.text;
    // The model did not get our files the first time either: the text beside them says what is in them.
    if (part.type === 'source' || (part.type === 'binary' && parts.isOurs)) return '';
    if (part.type === 'image') return imageNote(part, parts, images);
    const [document] = documentsIn(part);
    if (document) return documentNote(part, document, parts);
    return JSON.stringify(part);
  });
  return { content: texts.filter(Boolean).join('\n'), images };
}

function imageNote(part: object, parts: ResultParts, images: ConversationBlock[]): string {
  const image = parts.senses.imagesInResults && !parts.isOurs ? sentImageSchema.safeParse(part) : undefined;
  // What stands in a result is nobody's word that it be fetched (SEC-145).
  if (image?.success && linkOf(image.data) !== undefined) return '[an image by URL, which was not fetched]';
  if (!image?.success) return '[an image, which this model cannot see in a tool result]';
  images.push(mediaBlock(image.data, parts.senses));
  return `[image ${(parts.numberFrom ?? 1) + images.length - 1}, which follows]`;
}

function documentNote(
  part: { readonly type: string; readonly url?: unknown },
  block: object,
  { documents, isOurs }: ResultParts,
): string {
  const document = asDocument(block, isOurs);
  const note = '[a file, which was not read]';
  if (!document) return note;
  const source = isDocument(part) || typeof part.url !== 'string' ? '' : `${part.url}\n`;
  const isUnread =
    isOurs && !documents.has(block) && document.source?.type !== 'text' && document.source?.type !== 'content';
  return source + (isUnread ? note : documentInResult(document, documents, block));
}
