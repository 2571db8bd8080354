/**
 * PDF by its text layer. Nothing in the file is run, fetched or rendered: no scripts, forms, fonts or images (SEC-75).
 */
import { getResolvedPDFJS } from 'unpdf';
import { cleanText, onOneLine } from './clean-text';
import type { ParsedDocument, Parser } from './parser';
import { LimitExceededError, UnsupportedFileError } from './parser-errors';
import { titleKey, toPdfBlocks, type PdfTypography } from './pdf-blocks';
import { inReadingOrder } from './pdf-columns';
import { withoutFurniture } from './pdf-furniture';
import { collectWords } from './pdf-lines';
import { toSegments, type PdfSegment, type PdfTextItem } from './pdf-segments';

type PdfDocument = Awaited<ReturnType<Awaited<ReturnType<typeof getResolvedPDFJS>>['getDocument']>['promise']>;

export const pdfParser: Parser = {
  format: 'pdf',
  extensions: ['.pdf'],

  async parse({ bytes }, { maxPages }) {
    refuseTruncated(bytes);
    const { getDocument } = await getResolvedPDFJS();
    const loading = getDocument({
      // A copy, which pdf.js keeps.
      data: new Uint8Array(bytes),
      isEvalSupported: false,
      disableFontFace: true,
      useSystemFonts: false,
      useWorkerFetch: false,
      enableXfa: false,
      // A page that cannot be read whole is said, not half read.
      stopAtErrors: true,
      verbosity: 0,
    });
    try {
      const document = await loading.promise;
      if (document.numPages > maxPages) {
        const reason = `the PDF has ${document.numPages} pages, the limit is ${maxPages}`;
        throw new LimitExceededError(reason, 'MAX_PDF_PAGES');
      }
      return await readPdf(document);
    } catch (error) {
      throw inWords(error);
    } finally {
      await loading.destroy();
    }
  },
};

async function readPdf(document: PdfDocument): Promise<ParsedDocument> {
  const pages: PdfSegment[][] = [];
  const turned: PdfSegment[][][] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const [main = [], ...others] = await readPage(document, number);
    pages.push(main);
    turned.push(others);
  }
  if (pages.every((page) => page.length === 0)) {
    throw new UnsupportedFileError('the PDF has no text layer. Scanned pages need OCR before ingesting.');
  }
  const kept = withoutFurniture(pages);
  const rows = kept.flatMap((page, at) =>
    [page, ...turned[at]].flatMap((segments) => inReadingOrder(segments).map((row) => ({ ...row, page: at + 1 }))),
  );
  const typography = { ...typographyOf(kept), outline: await readOutline(document) };
  const words = collectWords(rows.map(({ cells }) => cells.map(({ text }) => text).join(' ')));
  return {
    format: 'pdf',
    ...(await describe(document)),
    pages: document.numPages,
    blocks: toPdfBlocks(rows, typography, words),
  };
}

async function readPage(document: PdfDocument, number: number): Promise<PdfSegment[][]> {
  try {
    const page = await document.getPage(number);
    const { items, styles } = await page.getTextContent();
    const texts = items.filter((item): item is typeof item & PdfTextItem => 'str' in item);
    const clean = texts.map((item) => ({ ...item, str: cleanText(item.str) }));
    const segments = toSegments(clean, (font) => styles[font]?.fontFamily === 'monospace', page.view[3]);
    page.cleanup();
    return segments.map((group) => group.filter(({ text }) => text !== ''));
  } catch (cause) {
    throw new UnsupportedFileError(`page ${number} of the PDF is damaged and cannot be read.`, { cause });
  }
}

/** The height that most letters have is the running text's; what is clearly larger are headings. */
function typographyOf(pages: readonly (readonly PdfSegment[])[]): Omit<PdfTypography, 'outline'> {
  const sizes = new Map<number, number>();
  const fonts = new Map<string, number>();
  for (const { size, font, text } of pages.flat()) {
    const rounded = Math.round(size * 2) / 2;
    sizes.set(rounded, (sizes.get(rounded) ?? 0) + text.length);
    fonts.set(font, (fonts.get(font) ?? 0) + text.length);
  }
  const bodySize = mostFrequent(sizes) ?? 10;
  const headingSizes = [...sizes.keys()].filter((size) => size >= bodySize * 1.1).sort((one, other) => other - one);
  return { bodySize, bodyFont: mostFrequent(fonts) ?? '', headingSizes };
}

function mostFrequent<Key>(counts: ReadonlyMap<Key, number>): Key | undefined {
  return [...counts].reduce<[Key, number] | undefined>(
    (best, entry) => (best && best[1] >= entry[1] ? best : entry),
    undefined,
  )?.[0];
}

type OutlineEntries = Awaited<ReturnType<PdfDocument['getOutline']>>;

async function readOutline(document: PdfDocument): Promise<Map<string, number>> {
  const levels = new Map<string, number>();
  const read = (entries: OutlineEntries, level: number) => {
    for (const { title, items } of entries ?? []) {
      const key = titleKey(title);
      if (key.length > 2 && levels.size < 20_000 && !levels.has(key)) levels.set(key, Math.min(level, 6));
      if (level < 12) read(items, level + 1);
    }
  };
  // An outline is a help, never a reason to refuse the text.
  read(await document.getOutline().catch(() => []), 1);
  return levels;
}

async function describe(document: PdfDocument): Promise<Pick<ParsedDocument, 'title' | 'language'>> {
  const metadata = await document.getMetadata().catch(() => undefined);
  const info = (metadata?.info ?? {}) as { readonly Title?: unknown; readonly Language?: unknown };
  const title = typeof info.Title === 'string' ? onOneLine(cleanText(info.Title)).slice(0, 300) : '';
  const language =
    typeof info.Language === 'string' ? /^[a-z]{2}(?=-|$)/i.exec(info.Language)?.[0].toLowerCase() : undefined;
  const isFileName = /\.(docx?|pdf|tex|dvi|indd|odt|pptx?)$/i.test(title) || /^(untitled|microsoft word)/i.test(title);
  return { ...(title && !isFileName && { title }), ...(language && { language }) };
}

/**
 * The end of a PDF says where its table of objects is. Without it pdf.js would guess from what is there, and pages that
 * are not would be missed by nobody. What follows the end is not minded.
 */
function refuseTruncated(bytes: Uint8Array): void {
  const end = Buffer.from(bytes.subarray(-65_536)).toString('latin1');
  const offset = /startxref\s+(\d{1,12})\s+%%EOF/.exec(end.slice(end.lastIndexOf('startxref')))?.[1];
  // A file made to be shown while it loads begins with a table at 0, and ends with a real one.
  if (offset === undefined || Number(offset) === 0) {
    throw new UnsupportedFileError('the PDF is cut short: its end is missing. Send the whole file.');
  }
}

function inWords(error: unknown): unknown {
  const name = error instanceof Error ? error.name : '';
  if (name === 'PasswordException') {
    return new UnsupportedFileError('the PDF is encrypted with a password. Send a copy without one.', { cause: error });
  }
  if (error instanceof UnsupportedFileError || error instanceof LimitExceededError) return error;
  return new UnsupportedFileError('the PDF is damaged and cannot be read.', { cause: error });
}
