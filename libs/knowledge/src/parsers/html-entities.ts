import { Parser } from 'htmlparser2';

const MAX_KNOWN = 2000;
const known = new Map<string, string>();

/** The character of `&nbsp;` or `&#8364;`; what is none stays as it is. */
export function decodeEntity(entity: string): string {
  let text = known.get(entity);
  if (text === undefined) {
    text = '';
    const parser = new Parser({ ontext: (part) => (text += part) }, { decodeEntities: true });
    parser.end(entity);
    if (known.size < MAX_KNOWN) known.set(entity, text);
  }
  return text;
}
