/**
 * A caller's words as PostgreSQL can take them: NUL and halves of surrogate pairs are in no stored text, and in no
 * text or jsonb it would accept.
 */
export const sqlText = (words: string): string => words.replaceAll('\0', '').toWellFormed();

/** The same for all texts of a value, as JSON. */
export const sqlJson = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === 'string' ? sqlText(each) : each));
