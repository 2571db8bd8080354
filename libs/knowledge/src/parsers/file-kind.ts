/** What a file is, told by its first bytes and its structure; its name is not asked. */
export interface SeenFile {
  /** The parser's format; absent if none reads it. */
  readonly format?: 'text' | 'html' | 'pdf' | 'docx';
  /** Text with HTML tags in it, though it does not begin as a page does. */
  readonly hasTags?: boolean;
  /** For the caller: `a PNG image (image/png)`. */
  readonly description: string;
}

const TEXT: SeenFile = { format: 'text', description: 'plain text' };
const HTML: SeenFile = { format: 'html', description: 'an HTML page', hasTags: true };

export async function lookAt(bytes: Uint8Array): Promise<SeenFile> {
  const head = Buffer.from(bytes.subarray(0, 65_536)).toString('latin1');
  const start = head.slice(0, 1024).trimStart();
  if (/^(?:\xef\xbb\xbf)?\s*%PDF-\d/.test(head)) return { format: 'pdf', description: 'a PDF' };
  if (start.startsWith('{\\rtf')) return { description: 'RTF (rich text)' };
  if (start.startsWith('%!PS')) return { description: 'PostScript' };
  const named = isLikelyText(bytes) ? undefined : await nameOf(bytes);
  if (named) return named;
  // The zeros of UTF-16 stand between the letters.
  const letters = head.replaceAll('\0', '').replace(/^(?:\xff\xfe|\xfe\xff)/, '');
  if (PAGE_START.test(letters)) return HTML;
  return TAG.test(letters) ? { ...TEXT, hasTags: true } : TEXT;
}

/** A text may begin with the letters that mark a bitmap (`BM`) or a program (`MZ`), but has no control characters. */
function isLikelyText(bytes: Uint8Array): boolean {
  const controls = bytes
    .subarray(0, 4096)
    .filter((byte) => byte < 0x20 && !(byte >= 0x08 && byte <= 0x0d) && byte !== 0x1b);
  return controls.length === 0;
}

async function nameOf(bytes: Uint8Array): Promise<SeenFile | undefined> {
  const { fileTypeFromBuffer } = await import('file-type');
  const type = await fileTypeFromBuffer(bytes);
  return type && { description: `a .${type.ext} file (${type.mime})` };
}

const PAGE_START =
  /^(?:\xef\xbb\xbf)?(?:\s|<\?xml[^>]{0,200}>|<!--[\s\S]{0,2000}?-->){0,20}<(?:!doctype\s+html|html|head|frameset)[\s>]/i;
const TAG =
  /<(?:body|title|h[1-6]|p|div|span|table|ul|ol|dl|br|hr|a|b|i|em|strong|font|center|pre|main|article|section)(?:\s[^<>]{0,500})?\/?>/i;
