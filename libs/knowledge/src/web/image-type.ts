import { EgressError, type WebHead } from '@app/platform';
import { fileTypeFromBuffer } from 'file-type/core';
import { contentType } from './media-kind';

/** Images that models take (messages-api §4.2). */
const IMAGES = /^image\/(?:jpe?g|pjpeg|a?png|gif|webp)$/;
/** What servers call a file of which they know nothing. */
const NO_TYPE = /^(?:|application\/(?:octet-stream|binary)|binary\/octet-stream)$/;

/** SEC-18, before any of the body is read. @throws EgressError for an address that leads to something else. */
export function refuseWhatIsNoImage({ headers }: WebHead): void {
  const { mediaType } = contentType(headers['content-type']);
  if (IMAGES.test(mediaType) || NO_TYPE.test(mediaType)) return;
  throw noImage(/^[\w.+-]+\/[\w.+-]+$/.test(mediaType) ? mediaType.slice(0, 100) : 'no known type');
}

/** By its first bytes, whatever its server calls it. @throws EgressError for what is none. */
export async function imageTypeOf(bytes: Uint8Array): Promise<string> {
  const type = await fileTypeFromBuffer(bytes.subarray(0, 4096)).catch(() => undefined);
  // One that moves: whoever knows nothing of that shows its first picture.
  if (type?.mime === 'image/apng') return 'image/png';
  if (type && IMAGES.test(type.mime)) return type.mime;
  throw noImage(bytes.length === 0 ? 'an empty file' : 'something else than it says');
}

const noImage = (what: string) =>
  new EgressError('unsupported_file', `the address leads to ${what}. JPEG, PNG, GIF and WebP images are taken.`);
