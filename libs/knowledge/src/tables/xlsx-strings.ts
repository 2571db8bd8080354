import { readXlsxXml, RunsOfText } from './xlsx-xml';

/** The texts that the cells of a workbook share, by number. */
export function readStrings(part: Buffer): string[] {
  const strings: string[] = [];
  const runs = new RunsOfText();
  readXlsxXml(part, {
    open(name) {
      if (name === 'si') runs.begin();
      else runs.open(name);
    },
    close(name) {
      if (name === 'si') strings.push(runs.end());
      else runs.close(name);
    },
    text: (piece) => runs.text(piece),
  });
  return strings;
}
