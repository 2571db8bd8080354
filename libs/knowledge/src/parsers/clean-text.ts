/** Controls but tab and line feed, soft hyphens, byte order marks inside the text, and halves of surrogate pairs. */

const UNWANTED = /[\0-\x08\x0b-\x1f\x7f-\x9f\xad\ufeff\ufffe\uffff]|\p{Surrogate}/gu;

const OVERSTRIKE = /[^\n]\x08/g;

/**
 * Text that every store accepts: no NUL (PostgreSQL refuses it), no lone surrogate, `\n` as the only line end.
 * A form feed becomes a paragraph break, and letters struck over (as old manual pages do for bold) are kept once.
 */
export function cleanText(text: string): string {
  let clean = text;
  if (clean.includes('\r')) clean = clean.replace(/\r\n?/g, '\n');
  if (clean.includes('\f')) clean = clean.replace(/\f/g, '\n\n');
  if (clean.includes('\b')) clean = clean.replace(OVERSTRIKE, '');
  // A large text is not copied for nothing.
  if (clean.search(UNWANTED) === -1) return clean;
  return clean.replace(UNWANTED, (unwanted) =>
    unwanted.length === 1 && /\p{Surrogate}/u.test(unwanted) ? '\ufffd' : '',
  );
}

const PIECE = 1_000_000;

/** One line: every run of white space is one space. */
export function onOneLine(text: string): string {
  if (!/[^\S ]| {2}/.test(text)) return text.trim();
  if (text.length <= PIECE) return text.replace(/\s+/g, ' ').trim();
  // A replacement in one go remembers every place before it writes any.
  const pieces: string[] = [];
  for (let from = 0; from < text.length; from += PIECE)
    pieces.push(text.slice(from, from + PIECE).replace(/\s+/g, ' '));
  return pieces.join('').replace(/ {2,}/g, ' ').trim();
}

/**
 * A copy that takes a byte for each character where that is enough, and that does not keep the whole file in memory
 * for the sake of a piece of it.
 */
export function compact(text: string): string {
  const encoding = /[^\0-\xff]/.test(text) ? 'utf16le' : 'latin1';
  return Buffer.from(text, encoding).toString(encoding);
}
