/**
 * Word documents. mammoth turns them into HTML, and is given neither the archive nor the disk: only the parts of the
 * document that the guards have let through (SEC-72, SEC-73, SEC-76).
 */
import mammoth from 'mammoth';
import { readArchive } from './archive-guard';
import { onOneLine } from './clean-text';
import { toBlocks } from './html-blocks';
import { readHtmlTree } from './html-tree';
import type { ParsedDocument, Parser } from './parser';
import { UnsupportedFileError } from './parser-errors';
import { guardXml } from './xml-guard';

type MammothInput = Parameters<typeof mammoth.convertToHtml>[0];

const IS_XML = /\.(xml|rels)$/i;
/** Word's own names; whoever writes Word files in another language keeps them. */
const STYLES = [
  "p[style-name='Title'] => h1:fresh",
  "p[style-name='Subtitle'] => h2:fresh",
  "p[style-name='Code'] => pre:separator('\\n')",
  "p[style-name='HTML Preformatted'] => pre:separator('\\n')",
  "p[style-name='Preformatted Text'] => pre:separator('\\n')",
];

export const docxParser: Parser = {
  format: 'docx',
  extensions: ['.docx'],

  async parse({ bytes }) {
    const parts = await readArchive(bytes, (name) => IS_XML.test(name));
    const styles = raisedStyles(parts);
    const ids = new Set(styles.keys());
    for (const [name, part] of parts) parts.set(name, Buffer.from(guardXml(part.toString('utf8'), ids)));
    const html = await convert(parts, styles);
    const blocks = toBlocks([readHtmlTree(html)], () => false).map(({ linkShare: _, ...block }) => block);
    if (blocks.length === 0) throw new UnsupportedFileError('the document is empty: there is no text in it.');
    return { format: 'docx', ...properties(parts), blocks };
  },
};

async function convert(parts: ReadonlyMap<string, Buffer>, raised: ReadonlyMap<string, string>): Promise<string> {
  const file = {
    exists: (name: string) => parts.has(name),
    read: async (name: string, encoding?: BufferEncoding) => {
      const part = parts.get(name) ?? Buffer.alloc(0);
      return encoding ? part.toString(encoding) : part;
    },
  };
  try {
    // `file` is the form in which mammoth itself hands an opened archive on.
    const { value } = await mammoth.convertToHtml({ file } as unknown as MammothInput, {
      styleMap: [...STYLES, ...[...raised].map(([id, tag]) => `r.${id} => ${tag}`)],
      includeEmbeddedStyleMap: false,
      externalFileAccess: false,
      transformDocument: headingsBelowTitle,
      convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
    });
    return value;
  } catch (cause) {
    throw new UnsupportedFileError('the Word document is damaged: its text cannot be found.', { cause });
  }
}

/** Styles of characters that set them above or below the line, by their id. */
function raisedStyles(parts: ReadonlyMap<string, Buffer>): Map<string, 'sup' | 'sub'> {
  const styles = (parts.get('word/styles.xml')?.toString('utf8') ?? '').split('<w:style ').slice(1);
  return new Map(
    styles.flatMap((style) => {
      const id = /^[^>]{0,500}w:type="character"/.test(style) && /w:styleId="(\w{1,100})"/.exec(style)?.[1];
      const script = /<w:vertAlign w:val="(sup|sub)(?:er)?script"/.exec(style)?.[1] as 'sup' | 'sub' | undefined;
      return id && script ? [[id, script] as const] : [];
    }),
  );
}

/** What is read here of a document as mammoth has it. */
interface WordDocument {
  readonly children: readonly { readonly styleId?: string; readonly styleName?: string }[];
}

/** Under a title, "Heading 1" is the second level: Word counts titles apart. */
function headingsBelowTitle(document: WordDocument): WordDocument {
  const styles = new Set(document.children.map(({ styleName }) => styleName?.toLowerCase()));
  if (!styles.has('title') || !styles.has('heading 1')) return document;
  const children = document.children.map((child) => {
    const level = /^heading ([1-5])$/i.exec(child.styleName ?? '')?.[1];
    return level ? { ...child, styleId: undefined, styleName: `heading ${Number(level) + 1}` } : child;
  });
  return { ...document, children };
}

function properties(parts: ReadonlyMap<string, Buffer>): Pick<ParsedDocument, 'title' | 'language'> {
  const core = parts.get('docProps/core.xml')?.toString('utf8') ?? '';
  const styles = parts.get('word/styles.xml')?.toString('utf8') ?? '';
  const title = /<dc:title>([^<]{1,500})<\/dc:title>/.exec(core)?.[1];
  const language = /<w:lang\s[^>]{0,300}?w:val="([a-z]{2})\b/i.exec(styles)?.[1].toLowerCase();
  const plain = title && onOneLine(title.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name]));
  return { ...(plain && { title: plain }), ...(language && { language }) };
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
