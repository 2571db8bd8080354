import { InvalidRequestError, type InputBlockOf } from '@app/contract';

/**
 * A document in a message, as text for a model that reads no files.
 *
 * @throws InvalidRequestError for a document that is not text; large ones belong in a collection.
 */
export function documentText(block: InputBlockOf<'document' | 'binary'>): string {
  const title = block.type === 'document' ? block.title : (block.filename ?? undefined);
  const context = block.type === 'document' ? block.context : undefined;
  const heading = title ? `Document "${title}":` : 'Document:';
  return [heading, context, bodyOf(block)].filter(Boolean).join('\n');
}

function bodyOf(block: InputBlockOf<'document' | 'binary'>): string {
  const { source } = block;
  if (source?.type === 'text') return source.data;
  if (source?.type === 'content') {
    const { content } = source;
    return typeof content === 'string' ? content : content.map(textOf).join('\n');
  }
  const inline =
    source?.type === 'base64'
      ? { data: source.data, type: source.media_type }
      : 'data' in block && block.data
        ? { data: block.data, type: block.mime_type ?? '' }
        : undefined;
  if (inline && /^text\/|^application\/json/.test(inline.type))
    return Buffer.from(inline.data, 'base64').toString('utf8');
  throw new InvalidRequestError(
    `A document of type ${inline?.type || source?.type || 'unknown'} in a message is not read by this server. ` +
      'Send its text, or ingest the file and use semantic_search_v1.',
  );
}

const textOf = (block: unknown): string =>
  typeof block === 'object' && block !== null && 'text' in block && typeof block.text === 'string' ? block.text : '';
