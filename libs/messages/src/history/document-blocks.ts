import { InvalidRequestError, sentImageSchema } from '@app/contract';
import type { ConversationBlock, ConversationDocument } from '@app/models';
import { mediaBlock, type LinkedImages, type Senses } from './media';
import { nameOf, type SentDocument, type SentDocuments } from './sent-documents';

/**
 * A document in a message: its text, then the images in it.
 *
 * @throws InvalidRequestError for one that is only pointed at, and for images where the model sees none.
 */
export function documentBlocks(
  document: SentDocument,
  read: string | undefined,
  senses: Senses,
  linked?: LinkedImages,
): readonly ConversationBlock[] {
  const images: ConversationBlock[] = [];
  const text = read ?? bodyOf(document, (image) => images.push(mediaBlock(image, senses, linked)));
  return [{ ...headOf(document), text }, ...images];
}

/** The same inside of a tool result, which is text. */
export function documentInResult(document: SentDocument, read: SentDocuments, block: object): string {
  const text = read.get(block) ?? bodyOf(document, () => undefined);
  const { title, context } = headOf(document);
  return [title ? `Document "${title}":` : 'Document:', context, text].filter(Boolean).join('\n');
}

function headOf(document: SentDocument): Pick<ConversationDocument, 'type' | 'title' | 'context'> {
  const title = document.type === 'document' ? document.title : (document.filename ?? undefined);
  const context = document.type === 'document' ? document.context : undefined;
  return { type: 'document', ...(title && { title }), ...(context && { context }) };
}

type Image = ReturnType<typeof sentImageSchema.parse>;

function bodyOf(document: SentDocument, onImage: (image: Image) => number | undefined): string {
  const { source } = document;
  if (source?.type === 'text') return source.data;
  if (source?.type === 'content') {
    if (typeof source.content === 'string') return source.content;
    return source.content.map((part) => textOf(part, document, onImage)).join('\n');
  }
  const where = source?.type === 'file' ? 'a file id' : 'its URL';
  const rule = source?.type === 'file' ? 'The Files API is not served here' : 'It is not fetched in this place';
  throw new InvalidRequestError(
    `${nameOf(document)} is given by ${where}. ${rule}: send its content as base64 or text, or ingest it and use ` +
      'semantic_search_v1.',
  );
}

function textOf(part: unknown, document: SentDocument, onImage: (image: Image) => number | undefined): string {
  const { type, text } = (typeof part === 'object' && part !== null ? part : {}) as { type?: unknown; text?: unknown };
  if (type === 'image') {
    const image = sentImageSchema.safeParse(part);
    if (!image.success) throw new InvalidRequestError(`${nameOf(document)} holds an image without its data.`);
    const position = onImage(image.data);
    return position === undefined ? '[an image, which was not read]' : `[image ${position} of this document]`;
  }
  if (typeof text === 'string') return text;
  if (typeof part === 'string') return part;
  throw new InvalidRequestError(`${nameOf(document)} holds a block that is neither a text nor an image.`);
}
