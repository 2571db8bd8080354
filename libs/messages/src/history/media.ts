import { InvalidRequestError, type InputBlockOf } from '@app/contract';
import type { ConversationBlock, ConversationMessage } from '@app/models';
import { imageSize } from './image-size';

/** What a model takes in besides text. */
export interface Senses {
  readonly images: boolean;
  readonly imagesInResults?: boolean;
  readonly audio?: boolean;
  /** Of one request. */
  readonly maxImages?: number;
  readonly maxAudios?: number;
}

/** An image that a message names by its address, or in words why there is none. */
export type LinkedImage = { readonly data: string; readonly mediaType: string } | string;

/** By address. */
export type LinkedImages = ReadonlyMap<string, LinkedImage>;

export const NO_LINKS: LinkedImages = new Map();

/** SEC-80. */
const MAX_PIXELS = 50_000_000;

const IMAGE_TYPES = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

/**
 * @param linked what was fetched for the request.
 * @throws InvalidRequestError by its own code where the model cannot see or hear, or the bytes are nowhere; `unsafe_file`
 *   for an image of too many pixels.
 */
export function mediaBlock(
  block: InputBlockOf<'image' | 'audio'>,
  model: Senses,
  linked: LinkedImages = NO_LINKS,
): ConversationBlock {
  const { type } = block;
  if (type === 'audio' && !model.audio) {
    throw new InvalidRequestError('The model does not support audio. Send the words as text.', {
      code: 'INVALID_REQUEST_AUDIO_SUPPORT_ERROR',
    });
  }
  if (type === 'image' && !model.images) {
    throw new InvalidRequestError(
      'The model does not support images. Choose a model that does, or leave the image out.',
      {
        code: 'INVALID_REQUEST_IMAGE_SUPPORT_ERROR',
      },
    );
  }
  const url = linkOf(block);
  const fetched = type === 'image' && url !== undefined ? linked.get(url) : undefined;
  if (typeof fetched === 'string') return { type: 'text', text: fetched };
  const inline = inlineOf(block) ?? fetched;
  if (!inline) throw new InvalidRequestError(`${nowhere(block)} is not fetched by this server. Send it as base64.`);
  const { data, mediaType } = inline;
  if (type === 'audio') return { type, data, mediaType };
  checkPixels(data);
  return { type, data, mediaType: IMAGE_TYPES.has(mediaType) ? mediaType : 'image/png' };
}

function checkPixels(data: string): void {
  const { width, height } = imageSize(data) ?? { width: 0, height: 0 };
  if (width * height <= MAX_PIXELS) return;
  throw new InvalidRequestError(
    `unsafe_file: an image of ${width} x ${height} pixels is too large: it may have ${MAX_PIXELS / 1_000_000} megapixels.`,
  );
}

/** @throws InvalidRequestError by its own code for more images or sounds than the model takes at once. */
export function checkHowMany(messages: readonly ConversationMessage[], { maxImages, maxAudios }: Senses): void {
  let images = 0;
  let audios = 0;
  for (const { content } of messages) {
    for (const { type } of content) {
      if (type === 'image') images++;
      else if (type === 'audio') audios++;
    }
  }
  if (maxImages !== undefined && images > maxImages) throw tooMany('images', images, maxImages, 'IMAGE');
  if (maxAudios !== undefined && audios > maxAudios) throw tooMany('audio blocks', audios, maxAudios, 'AUDIO');
}

const tooMany = (what: string, given: number, most: number, kind: 'IMAGE' | 'AUDIO') =>
  new InvalidRequestError(
    `The model takes at most ${most} ${what} in a request, this one has ${given} (setting MODEL_MAX_${kind}S).`,
    { code: `INVALID_REQUEST_${kind}_MAX_NUM_ERROR` },
  );

/** The address of what is not in the request itself. */
export function linkOf({ source, data, url, uri }: InputBlockOf<'image' | 'audio' | 'binary'>): string | undefined {
  if (source) return source.type === 'url' ? (source.url ?? source.uri ?? undefined) : undefined;
  return data ? undefined : (url ?? uri ?? undefined);
}

function nowhere({ type, source }: InputBlockOf<'image' | 'audio'>): string {
  if (source?.type === 'file') return `${type === 'image' ? 'An image' : 'Audio'} by file id`;
  return type === 'image' ? 'An image by URL in this place' : 'Audio by URL';
}

function inlineOf({ source, data, mime_type }: InputBlockOf<'image' | 'audio'>) {
  if (source?.type === 'base64') return { data: source.data, mediaType: source.media_type };
  return data ? { data, mediaType: mime_type ?? '' } : undefined;
}
