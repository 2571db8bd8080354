/**
 * What a request names by its address, fetched before the conversation is built (SEC-10 to SEC-21, 'images in
 * messages').
 *
 * Only what stands as a block of its own in messages of the user, or in a document there: an address in a result is
 * nobody's word that it be fetched. What cannot be had refuses the request, but for earlier turns, where it leaves a
 * note: a picture that is gone since must not end the conversation about it.
 */
import type { Caller } from '@app/access';
import {
  InvalidRequestError,
  OverloadedError,
  sentImageSchema,
  type InputBlock,
  type InputMessage,
} from '@app/contract';
import { documentName, type SentFile, type WebPages } from '@app/knowledge';
import { branchOf, Deadline, EgressError, type StopSignal } from '@app/platform';
import { linkOf, type LinkedImage, type LinkedImages, type Senses } from './media';

export type LinkSource = Pick<WebPages, 'image' | 'document'>;

export interface LinkedFiles {
  readonly images: LinkedImages;
  /** Documents by their address, or in words why there is none. */
  readonly documents: ReadonlyMap<string, SentFile | string>;
  /** Gives back the room that they take, once the answer is over. */
  release(): void;
}

export interface LinkLimits {
  /** Of all that one request names. */
  readonly maxBytes: number;
  /** Of all requests together. */
  readonly room: FetchedRoom;
  /** For all that one request names. */
  readonly ms: number;
}

/** SEC-20. */
const MAX_OF_MESSAGE = 5;
const MAX_OF_REQUEST = 20;

interface Link {
  readonly url: string;
  readonly kind: 'image' | 'document';
  /** Whether it belongs to what the user says now. */
  readonly isNew: boolean;
}

const NOTHING: LinkedFiles = { images: new Map(), documents: new Map(), release: () => undefined };

/** @throws InvalidRequestError that names the file and why it cannot be had, and OverloadedError without room. */
export async function fetchLinked(
  caller: Caller,
  messages: readonly InputMessage[],
  senses: Senses,
  web: LinkSource,
  { maxBytes, room, ms }: LinkLimits,
  signal: StopSignal,
): Promise<LinkedFiles> {
  const links = linksIn(messages, senses);
  if (links.length === 0) return NOTHING;
  const refused = new AbortController();
  const deadline = new Deadline(ms, signal, () => new InvalidRequestError(tooLate(ms)));
  const any = AbortSignal.any([deadline.signal, refused.signal]);
  const images = new Map<string, LinkedImage>();
  const documents = new Map<string, SentFile | string>();
  let held = 0;
  const hold = (bytes: Uint8Array): string => {
    room.take(bytes.length);
    held += bytes.length;
    if (held > maxBytes) {
      throw new InvalidRequestError(
        `limit_exceeded: what the request names has more than ${maxBytes} bytes in all (setting MAX_MESSAGE_BODY_MB).`,
      );
    }
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
  };
  const fetch = async ({ url, kind, isNew }: Link): Promise<void> => {
    const own = branchOf(any);
    try {
      if (kind === 'image') {
        const { bytes, mediaType } = await web.image(caller, url, own);
        images.set(url, { data: hold(bytes), mediaType });
      } else {
        const fetched = (await web.document(caller, url, {}, own))!;
        const mediaType = fetched.headers['content-type'] ?? '';
        documents.set(url, { base64: hold(fetched.bytes), mediaType, name: documentName(fetched) });
      }
    } catch (error) {
      if (error instanceof EgressError && error.token === 'limit_exceeded') throw new OverloadedError(error.message);
      if (!(error instanceof InvalidRequestError)) throw error;
      const words = `${inWords({ url, kind })} cannot be had: ${error.message}`;
      if (isNew) throw new InvalidRequestError(words);
      if (kind === 'image') images.set(url, `[${words}]`);
      else documents.set(url, `[${words}]`);
    }
  };
  const release = () => {
    room.give(held);
    held = 0;
  };
  let why: { readonly error: unknown } | undefined;
  // All of them, also where one has failed, which ends the others: what comes late would be held for nobody.
  await Promise.all(
    links.map((link) =>
      fetch(link).catch((error: unknown) => {
        why ??= { error };
        refused.abort();
      }),
    ),
  );
  deadline.end();
  if (why) {
    release();
    throw why.error;
  }
  return { images, documents, release };
}

const tooLate = (ms: number) =>
  `tool_timeout: what the request names took longer than ${ms / 1000} seconds in all (setting URI_SECONDS).`;

/** Bytes that answers in the making hold of what they fetched. */
export class FetchedRoom {
  private held = 0;

  constructor(private readonly maxBytes: number) {}

  /** @throws OverloadedError */
  take(bytes: number): void {
    if (this.held + bytes > this.maxBytes) {
      throw new OverloadedError(
        'The server holds too many files for other requests; try again in a moment (setting MAX_BODIES_MB).',
      );
    }
    this.held += bytes;
  }

  give(bytes: number): void {
    this.held -= bytes;
  }
}

/** Each address once, where it is named last. @throws InvalidRequestError for too many. */
function linksIn(messages: readonly InputMessage[], senses: Senses): Link[] {
  const now = messages.findLastIndex(({ role }) => role === 'assistant');
  const links = new Map<string, Link>();
  messages.forEach(({ role, content }, at) => {
    if (role !== 'user' || typeof content === 'string') return;
    const named = new Set<string>();
    for (const { url, kind } of content.flatMap((block) => linksOf(block, senses))) {
      named.add(url);
      links.set(`${kind} ${url}`, { url, kind, isNew: at > now });
    }
    if (named.size > MAX_OF_MESSAGE) throw tooMany(named.size, MAX_OF_MESSAGE, 'one message');
  });
  if (links.size > MAX_OF_REQUEST) throw tooMany(links.size, MAX_OF_REQUEST, 'one request');
  return [...links.values()];
}

function linksOf(block: InputBlock, senses: Senses): Pick<Link, 'url' | 'kind'>[] {
  switch (block.type) {
    case 'image': {
      // For a model that does not see they are refused, and nobody has to be asked for them.
      const url = senses.images ? linkOf(block) : undefined;
      return url === undefined ? [] : [{ url, kind: 'image' }];
    }
    case 'binary': {
      const url = linkOf(block);
      return url === undefined ? [] : [{ url, kind: 'document' }];
    }
    case 'document': {
      const { source } = block;
      if (source.type === 'url') {
        const url = source.url ?? source.uri;
        return url ? [{ url, kind: 'document' }] : [];
      }
      if (source.type !== 'content' || typeof source.content === 'string') return [];
      return source.content.flatMap((part) => {
        const image = sentImageSchema.safeParse(part);
        return image.success ? linksOf(image.data, senses) : [];
      });
    }
    default:
      return [];
  }
}

const tooMany = (given: number, most: number, where: string) =>
  new InvalidRequestError(
    `limit_exceeded: at most ${most} images and documents of ${where} are fetched by their address, here are ${given}.`,
  );

/** Without what an address may hold of a secret. */
function inWords({ url, kind }: Pick<Link, 'url' | 'kind'>): string {
  const { origin, pathname } = URL.canParse(url) ? new URL(url) : { origin: '', pathname: '' };
  const where = origin && origin !== 'null' ? ` at ${`${origin}${pathname}`.slice(0, 200)}` : '';
  return `The ${kind}${where}`;
}
