/** Passages out of what a tool returned (messages-api §6.1), and out of text that the user sent along. */

export interface Passage {
  /** The citation identifier, where the tool gave one. */
  readonly mark?: string;
  readonly text: string;
}

const MAX_PASSAGES = 64;
const MAX_PASSAGE = 40_000;
const SECTION = /^(?:Citation identifier \[([A-Z0-9]{1,16})\]\n)?---\nContent:\n/gm;

const NOTHING_FOUND = 'No content is available.';

/** Whether a tool result is written as the sections of semantic search, or says that there are none. */
export const looksLikePassages = (result: string): boolean =>
  result.trim() === NOTHING_FOUND || /^(?:Citation identifier \[[A-Z0-9]{1,16}\]\n)?---\nContent:\n/.test(result);

/** The sections of a semantic search result, best first; text in another form is one passage. */
export function passagesOf(result: string): Passage[] {
  if (result.trim() === NOTHING_FOUND || result.trim() === '') return [];
  // Sections begin with a header of their own; the rule that ends them may also occur inside a document.
  const headers = [...result.matchAll(SECTION)].slice(0, MAX_PASSAGES + 1);
  if (headers.length === 0) return [{ text: result.slice(0, MAX_PASSAGE) }];
  return headers.slice(0, MAX_PASSAGES).map((header, index) => {
    const end = headers[index + 1]?.index ?? result.length;
    const text = result.slice(header.index + header[0].length, Math.min(end, header.index + MAX_PASSAGE));
    return { ...(header[1] !== undefined && { mark: header[1] }), text: text.replace(/\n===\s*$/, '') };
  });
}
