/** Tables of contents in plain text: the headings again, which would be found in place of what they announce. */
const TITLE =
  /^(?:table of )?contents$|^[íi]ndice(?: general| de contenidos?)?$|^tabla de contenidos?$|^contenidos?$|^sumario$/i;
const ENTRY = /^\s*(?:[\dIVXA-Z]{1,4}(?:\.\d{1,3}){0,5}[.)]?\s+\S.{0,160}|\p{Lu}\S{2,30})$|(?:\.\s?){4,}\s*\d{1,4}$/u;

export const isContentsTitle = (lines: readonly string[]) => lines.length === 1 && TITLE.test(lines[0].trim());

export function isContents(lines: readonly string[]): boolean {
  return lines.length >= 4 && lines.filter((line) => ENTRY.test(line)).length >= lines.length * 0.8;
}
