/** What a file is, told by its first bytes and its structure; its name is not asked (SEC-70). */
import { fileTypeFromBuffer } from 'file-type/core';
import { listArchive, readArchive } from './archive-guard';
import { byteOrderMark } from './charset';

export interface SeenFile {
  /** The parser's format; absent if none reads it. */
  readonly format?: 'text' | 'html' | 'pdf' | 'docx' | 'xlsx' | 'xlsb' | 'xls' | 'ods';
  /** Text with HTML tags in it, though it may not begin as a page does. */
  readonly hasTags?: boolean;
  /** For the caller: `a .png file (image/png)`. */
  readonly description: string;
}

const TEXT: SeenFile = { format: 'text', description: 'plain text' };
const HTML: SeenFile = { format: 'html', description: 'an HTML page', hasTags: true };

/** @throws UnsafeFileError, UnsupportedFileError for an archive that may not, or cannot, be looked into. */
export async function lookAt(bytes: Uint8Array): Promise<SeenFile> {
  const head = Buffer.from(bytes.subarray(0, 65_536)).toString('latin1');
  if (/^(?:\xef\xbb\xbf)?\s{0,1000}%PDF-\d/.test(head)) return { format: 'pdf', description: 'a PDF' };
  if (/^PK(?:\x03\x04|\x05\x06)/.test(head)) return archiveKind(bytes, head);
  if (head.startsWith('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')) return oleKind(bytes);
  if (head.startsWith('{\\rtf')) return { description: 'RTF (rich text)' };
  if (head.startsWith('%!PS')) return { description: 'PostScript' };
  // A byte order mark says text, and two of its bytes would also begin an audio frame.
  const isText = byteOrderMark(bytes) !== undefined || isLikelyText(bytes);
  return (isText ? undefined : await nameOf(bytes)) ?? textKind(head);
}

const OPEN_DOCUMENT: SeenFile = { description: 'an OpenDocument file (.odt, .ods or .odp)' };
const ARCHIVES: readonly (readonly [path: RegExp, seen: SeenFile])[] = [
  [/^word\/document\d*\.xml$/, { format: 'docx', description: 'a Word document (.docx)' }],
  [/^xl\/workbook\.xml$/, { format: 'xlsx', description: 'an Excel workbook (.xlsx)' }],
  [/^xl\/workbook\.bin$/, { format: 'xlsb', description: 'a binary Excel workbook (.xlsb)' }],
  [/^ppt\/presentation\./, { description: 'a PowerPoint presentation (.pptx)' }],
  [/^META-INF\/container\.xml$/, { description: 'an e-book (.epub)' }],
  [/^encrypted-package$/, { description: 'an OpenDocument file encrypted with a password (send a copy without one)' }],
  [/^content\.xml$/, OPEN_DOCUMENT],
];

/** The first entry of an OpenDocument file, not packed. */
const ODS = 'mimetypeapplication/vnd.oasis.opendocument.spreadsheet';
const SPREADSHEET: SeenFile = { format: 'ods', description: 'an OpenDocument spreadsheet (.ods)' };

async function archiveKind(bytes: Uint8Array, head: string): Promise<SeenFile> {
  const names = await listArchive(bytes);
  if (head.slice(0, 200).includes(ODS) && names.includes('content.xml')) return SPREADSHEET;
  const known = ARCHIVES.find(([path]) => names.some((name) => path.test(name)));
  if (known?.[1] === OPEN_DOCUMENT && (await holdsSheets(bytes))) return SPREADSHEET;
  return known?.[1] ?? { description: 'a ZIP archive' };
}

/** Whoever unpacked an OpenDocument file and packed it again has lost the order of its entries. */
async function holdsSheets(bytes: Uint8Array): Promise<boolean> {
  const content = (await readArchive(bytes, (name) => name === 'content.xml')).get('content.xml');
  return /[<:]spreadsheet[\s/>]/.test(content?.toString('latin1').replaceAll('\0', '') ?? '');
}

/** The container of Office before 2007, in which newer files are wrapped when they have a password. */
function oleKind(bytes: Uint8Array): SeenFile {
  const has = (entry: string) =>
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(Buffer.from(entry, 'utf16le'));
  if (has('EncryptedPackage')) {
    return { description: 'an Office file encrypted with a password (send a copy without one)' };
  }
  // Names in it mean the same in capitals, in which some programs write them.
  return ['Workbook', 'Book', 'WORKBOOK', 'BOOK', 'workbook'].some((stream) => has(`${stream}\0`))
    ? { format: 'xls', description: 'an Excel workbook of before 2007 (.xls)' }
    : { description: 'an Office file of before 2007 (.doc or .ppt; save it in the newer format)' };
}

/** A text may begin with the letters that mark a bitmap (`BM`) or a program (`MZ`), but has no control characters. */
function isLikelyText(bytes: Uint8Array): boolean {
  return !bytes.subarray(0, 4096).some((byte) => byte < 0x20 && !(byte >= 0x08 && byte <= 0x0d) && byte !== 0x1b);
}

async function nameOf(bytes: Uint8Array): Promise<SeenFile | undefined> {
  const type = await fileTypeFromBuffer(bytes.subarray(0, 4096)).catch(() => undefined);
  // Of text it knows only what has a mark of its own.
  return type && !/xml|text/.test(type.mime) ? { description: `a .${type.ext} file (${type.mime})` } : undefined;
}

const PAGE_START =
  /^(?:\xef\xbb\xbf)?(?:\s|<\?xml[^>]{0,200}>|<!--[\s\S]{0,2000}?-->){0,20}<(?:!doctype\s+html|html|head|frameset)[\s>]/i;
const TAG =
  /<(?:body|style|title|h[1-6]|p|div|span|table|ul|ol|dl|br|hr|a|b|i|em|strong|font|center|pre|main|article|section)(?:\s[^<>]{0,500})?\/?>/i;

/** Whether there are HTML tags anywhere in a text: with its server's word for it, a browser takes it for a page. */
export const hasTagsAnywhere = (bytes: Uint8Array): boolean =>
  TAG.test(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1').replaceAll('\0', ''));

function textKind(head: string): SeenFile {
  // The zeros of UTF-16 stand between the letters.
  const letters = head.replaceAll('\0', '').replace(/^(?:\xff\xfe|\xfe\xff)/, '');
  if (PAGE_START.test(letters)) return HTML;
  return TAG.test(letters) ? { ...TEXT, hasTags: true } : TEXT;
}
