/** Documents that are ingested by their address (messages-api §14.1, SEC-81). */
import type { Caller } from '@app/access';
import type { IngestBody } from '@app/contract';
import type { Spool } from '@app/platform';
import type { ArtifactOrigin, StoredArtifact } from '../artifacts/artifact-store';
import { contentType, mediaKindOf, type MediaKind } from '../web/media-kind';
import type { FetchedDocument, WebPages } from '../web/web-pages';
import { sourceOf, wantedBy, type Source } from './source';

export type FetchedSource = Source & { readonly origin: ArtifactOrigin };

/**
 * Fetches the document of a `uri` input.
 *
 * @param current what is under the name now, if it could be kept: its server is only asked whether it has changed.
 * @param spool where a large one may be written.
 * @returns undefined where it has not.
 * @throws InvalidRequestError that begins with a token.
 */
export async function fetchSource(
  web: Pick<WebPages, 'document'>,
  caller: Caller,
  body: IngestBody,
  current: StoredArtifact | undefined,
  signal: AbortSignal,
  spool?: Spool,
): Promise<FetchedSource | undefined> {
  const uri = body.input.value;
  const wanted = wantedBy(body);
  const origin = current?.origin;
  const known = origin?.uri === uri && origin.wanted === wanted ? origin : undefined;
  const fetched = await web.document(caller, uri, known ?? {}, signal, spool);
  if (!fetched) return undefined;
  const { etag, lastModified } = fetched;
  const source = await sourceOf(caller, body, fetched.file ?? fetched.bytes, nameOf(fetched));
  const { charset } = contentType(fetched.headers['content-type']);
  return {
    ...source,
    ...(charset && { charset }),
    origin: { uri, wanted, ...(etag && { etag }), ...(lastModified && { lastModified }) },
  };
}

const EXTENSIONS: Readonly<Record<MediaKind, RegExp>> = {
  html: /\.(?:html?|xhtml?)$/i,
  pdf: /\.pdf$/i,
  markdown: /\.(?:md|markdown|mdown|mkd|mdx)$/i,
  json: /\.(?:json|jsonl|ndjson)$/i,
  xml: /\.xml$/i,
  csv: /\.(?:csv|tsv)$/i,
  text: /\.[\p{L}\p{N}_-]{1,20}$/u,
};
const DEFAULTS: Readonly<Record<MediaKind, string>> = {
  html: '.html',
  pdf: '.pdf',
  markdown: '.md',
  json: '.json',
  xml: '.xml',
  csv: '.csv',
  text: '.txt',
};

/** What the server calls it, else what the address does; the ending as the type wants it (`page.php` is HTML). */
export function nameOf({ url, headers }: Pick<FetchedDocument, 'url' | 'headers'>): string | undefined {
  const { mediaType } = contentType(headers['content-type']);
  const kind = mediaKindOf(mediaType);
  const base = safe(dispositionName(headers['content-disposition'])) ?? safe(lastOf(url));
  if (kind === undefined) return base !== undefined && /[^.]\.[\p{L}\p{N}_-]{1,20}$/u.test(base) ? base : undefined;
  if (base !== undefined && EXTENSIONS[kind].test(base)) return base;
  return (base ?? safe(url.hostname) ?? 'document') + DEFAULTS[kind];
}

const lastOf = ({ pathname }: URL): string | undefined => decoded(pathname.split('/').filter(Boolean).at(-1));

/** RFC 6266, the extended form first. */
function dispositionName(header = ''): string | undefined {
  const extended = /filename\*\s*=\s*utf-8\'[^']{0,20}\'([^;]{1,600})/i.exec(header)?.[1];
  if (extended !== undefined) return decoded(extended.trim());
  const [, quoted, plain] = /filename\s*=\s*(?:"((?:[^"\\]|\\.){1,300})"|([^;"\s]{1,300}))/i.exec(header) ?? [];
  return quoted?.replace(/\\(.)/g, '$1') ?? plain;
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Never a part of a path, and only letters that a file name of a caller may have (SEC-82). */
function safe(name: string | undefined): string | undefined {
  const clean = name
    ?.normalize('NFC')
    .split(/[/\\]/)
    .at(-1)!
    .replace(/[^\p{L}\p{N}\p{M}._ -]/gu, '_')
    .replace(/^[. ]+|[. ]+$/g, '')
    .slice(-180)
    .replace(/^[\udc00-\udfff. ]+/, '');
  return clean === '' ? undefined : clean;
}
