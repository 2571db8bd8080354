import { InvalidRequestError, type InputBlockOf } from '@app/contract';
import type { ConversationBlock } from '@app/models';

const IMAGE_TYPES = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

/** @throws InvalidRequestError by its own code where the model cannot see or hear, or the bytes are not in the request. */
export function mediaBlock(block: InputBlockOf<'image' | 'audio'>, model: { images: boolean }): ConversationBlock {
  if (block.type === 'audio') {
    throw new InvalidRequestError('The model does not support audio. Send the words as text.', {
      code: 'INVALID_REQUEST_AUDIO_SUPPORT_ERROR',
    });
  }
  if (!model.images) {
    throw new InvalidRequestError(
      'The model does not support images. Choose a model that does, or leave the image out.',
      {
        code: 'INVALID_REQUEST_IMAGE_SUPPORT_ERROR',
      },
    );
  }
  const { source } = block;
  const inline =
    source?.type === 'base64'
      ? { data: source.data, mediaType: source.media_type }
      : block.data
        ? { data: block.data, mediaType: block.mime_type ?? '' }
        : undefined;
  if (!inline) {
    throw new InvalidRequestError('An image by URL or file id is not fetched by this server. Send it as base64.');
  }
  return {
    type: 'image',
    data: inline.data,
    mediaType: IMAGE_TYPES.has(inline.mediaType) ? inline.mediaType : 'image/png',
  };
}
