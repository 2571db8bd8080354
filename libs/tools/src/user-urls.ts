/**
 * The web addresses that the user has written (SEC-19): in text blocks of user messages, and nowhere else. What tools
 * returned, documents hold or a model makes up is not among them.
 */
import type { MessagesRequest } from '@app/contract';

/** Addresses of one message that may be read (SEC-20). */
export const MAX_URLS = 5;

export interface UserUrls {
  /** Whether the user has named this address, and whether it is one too many of its message. */
  look(url: URL): 'named' | 'too many' | 'unnamed';
}

/** A text is looked through so far; nobody writes more by hand. */
const MAX_TEXT = 2_000_000;
const MAX_FOUND = 1000;
/** A name without a scheme is only looked for where a word begins: a text without spaces is then walked once. */
const WRITTEN =
  /(?:https?:\/\/|(?<![\p{L}\p{N}_@./-])(?=(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,62})\.){1,8}\p{L}{2,24}(?:[:/?#\s)\]>"\u2019\u201d,;.!]|$)))[^\s<>"\u201c\u201d\u00ab\u00bb\u0060|\\^{}]{3,8192}/giu;
const PUNCTUATION = /[.,;:!?)\]}'\u2019*_~\u2026\u3002\uff0c]$/u;

/** @param named addresses that count without being in a message. */
export function userUrls(messages: MessagesRequest['messages'], named: readonly string[] = []): UserUrls {
  const known = new Map<string, 'named' | 'too many'>();
  for (const url of named) if (URL.canParse(url)) known.set(normal(new URL(url)), 'named');
  for (const { role, content } of messages) {
    if (role !== 'user') continue;
    const texts =
      typeof content === 'string' ? [content] : content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
    const ofMessage = new Set<string>();
    for (const text of texts) {
      for (const [written] of text.slice(0, MAX_TEXT).matchAll(WRITTEN)) {
        if (known.size >= MAX_FOUND) break;
        const readings = readingsOf(written);
        if (readings.length === 0) continue;
        ofMessage.add(readings.at(-1)!);
        const verdict = ofMessage.size > MAX_URLS ? 'too many' : 'named';
        for (const reading of readings) if (known.get(reading) !== 'named') known.set(reading, verdict);
      }
    }
  }
  return { look: (url) => known.get(normal(url)) ?? 'unnamed' };
}

/** With the punctuation that follows it and without, and both schemes where none is written. */
function readingsOf(written: string): string[] {
  const forms = [written];
  for (let form = written; PUNCTUATION.test(form) && forms.length < 6;) forms.push((form = form.slice(0, -1)));
  const addresses = /^https?:/i.test(written) ? forms : forms.flatMap((form) => [`https://${form}`, `http://${form}`]);
  return addresses.flatMap((address) => (URL.canParse(address) ? [normal(new URL(address))] : []));
}

/** A fragment is a place in a page, not another page. */
function normal(url: URL): string {
  const { href, hash } = url;
  return hash === '' ? href.replace(/#$/, '') : href.slice(0, -hash.length);
}
