/** Types of content that are read from the web (SEC-18). */
export type MediaKind = 'html' | 'pdf' | 'text' | 'markdown' | 'json' | 'xml' | 'csv';

const KINDS: readonly (readonly [type: RegExp, kind: MediaKind])[] = [
  [/^(?:text\/html|application\/xhtml\+xml|application\/vnd\.wap\.xhtml\+xml)$/, 'html'],
  [/^application\/(?:x-)?pdf$/, 'pdf'],
  [/^text\/(?:x-)?(?:markdown|web-markdown)$/, 'markdown'],
  [/^(?:application|text)\/(?:json|x-ndjson|jsonl|[\w.-]+\+json)$/, 'json'],
  [/^(?:application|text)\/(?:xml|rss|atom|[\w.-]+\+xml)$/, 'xml'],
  [/^(?:text|application)\/(?:csv|tab-separated-values)$/, 'csv'],
  [/^text\/plain$/, 'text'],
];

/** @param mediaType without parameters, in lower case. @returns undefined for a type that is not read. */
export const mediaKindOf = (mediaType: string): MediaKind | undefined =>
  mediaType === 'image/svg+xml' ? undefined : KINDS.find(([type]) => type.test(mediaType))?.[1];

/** `text/html; charset="utf-8"` in its parts. */
export function contentType(header = ''): { readonly mediaType: string; readonly charset?: string } {
  const mediaType = header.split(';', 1)[0]!.trim().toLowerCase();
  const charset = /;\s*charset\s*=\s*["']?([\w:.-]{2,40})/i.exec(header)?.[1];
  return { mediaType, ...(charset !== undefined && { charset }) };
}
