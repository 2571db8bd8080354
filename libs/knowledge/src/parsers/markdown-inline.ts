import { decodeEntity } from './html-entities';
import { raisedFigures } from './raised-figures';

/**
 * Markdown within a line as plain text: marks of emphasis and links go, what they are around stays. A break that is
 * written as `<br>` is a line feed.
 *
 * @param struck what is crossed out keeps its marks: among values it says that this one holds no longer.
 * @param references the labels, in lower case, that the document says the addresses of: no other `[words][label]` is a link.
 */
export function plainInline(
  text: string,
  { struck = false, references = NONE }: { struck?: boolean; references?: ReadonlySet<string> } = {},
): string {
  if (!/[*_`~[\]<&\\!]/.test(text)) return text;
  const code: string[] = [];
  // What stands between back quotes is literal: kept aside while the rest is unmarked. U+E000 is never in clean prose.
  const withoutCode = text.replace(/(`{1,3})([^`\n]{1,2000}?)\1(?!`)/g, (_, _quotes, inside: string) => {
    code.push(inside.trim());
    return `\ue000${code.length - 1}\ue001`;
  });
  return withoutCode
    .replace(/\\([!-/:-@[-`{-~])/g, (_, character: string) => {
      code.push(character);
      return `\ue000${code.length - 1}\ue001`;
    })
    .replace(/<!--[^>]{0,2000}-->/g, '')
    .replace(/<((?:https?|mailto):[^<>\s]{1,2000})>/g, '$1')
    .replace(/!\[([^\]\n]{0,500})\](?:\([^()\n]{0,2000}\)|\[[^\]\n]{0,200}\])/g, '$1')
    .replace(/\[([^\]\n]{1,1000})\]\(\s*<?([^()\s>]{0,2000})>?(?:\s+["'(][^)\n]{0,500})?\)/g, linkText)
    .replace(/\[([^\]\n]{1,1000})\]\[([^\]\n]{0,200})\]/g, (whole, words: string, label: string) =>
      references.has((label || words).toLowerCase()) ? words : whole,
    )
    .replace(/<br\s{0,9}\/?>/gi, '\n')
    .replace(/<\/?(?:s|del|strike)>/gi, '~~')
    .replace(
      /(.?)<(sup|sub)(?:\s[^<>]{0,200})?>(.{0,200}?)<\/\2>/gi,
      (_, before: string, tag: string, inside: string) => {
        const text = inside.replace(/<[^<>]{0,200}>/g, '');
        return before + raisedFigures(text, /sup/i.test(tag) ? 'above' : 'below', before);
      },
    )
    .replace(/<\/?[a-z][a-z0-9-]{0,20}(?:\s[^<>]{0,500})?\/?>/gi, '')
    .replace(/\*{1,3}(?=\S)([^*\n]{1,1000}?\S?)\*{1,3}/g, '$1')
    .replace(/(^|[^\p{L}\p{N}_])_{1,3}(?=\S)([^_\n]{1,1000}?)_{1,3}(?![\p{L}\p{N}_])/gu, '$1$2')
    .replace(/~~(?=\S)([^~\n]{1,1000}?)~~/g, struck ? '$&' : '$1')
    .replace(/&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]\w{1,30});/gi, decodeEntity)
    .replace(/\ue000(\d{1,9})\ue001/g, (_, at: string) => code[Number(at)] ?? '');
}

const NONE: ReadonlySet<string> = new Set();

/** An address that leads out of the document is worth finding; one inside of it means nothing alone. */
const linkText = (_: string, text: string, target: string) =>
  /^(https?|mailto):/i.test(target) && target !== text ? `${text} (${target})` : text;
