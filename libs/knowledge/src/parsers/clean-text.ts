/** Controls but tab and line feed, soft hyphens, byte order marks inside the text, and halves of surrogate pairs. */
// eslint-disable-next-line no-control-regex
const UNWANTED = /[\0-\x08\x0b-\x1f\x7f-\x9f\xad\ufeff\ufffe\uffff]|\p{Surrogate}/gu;
// eslint-disable-next-line no-control-regex
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
  return clean.replace(UNWANTED, (unwanted) =>
    unwanted.length === 1 && /\p{Surrogate}/u.test(unwanted) ? '\ufffd' : '',
  );
}

/** One line: every run of white space is one space. */
export function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
