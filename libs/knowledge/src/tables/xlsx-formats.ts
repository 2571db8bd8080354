import { SSF } from 'xlsx';
import { readXlsxXml } from './xlsx-xml';

/** More styles than an office program writes; the others say nothing. */
const MAX_STYLES = 70_000;
const MAX_FORMAT = 500;
const GENERAL = 'General';
/** Those that have a number only, and are dates and times in the languages of East Asia. */
const EAST_ASIAN: readonly (readonly [from: number, to: number, format: string])[] = [
  [27, 31, 'yyyy/m/d'],
  [32, 33, 'h:mm:ss'],
  [34, 36, 'yyyy/m/d'],
  [50, 58, 'yyyy/m/d'],
];

/** The number formats of the styles of cells, by the number of the style. */
export function readFormats(part: Buffer): string[] {
  const own = new Map<number, string>();
  const formats: string[] = [];
  let isOfCells = false;
  readXlsxXml(part, {
    open(name, attributes) {
      if (name === 'cellXfs') isOfCells = true;
      else if (name === 'numFmt') {
        const code = attributes.formatCode ?? '';
        if (own.size < MAX_STYLES && code.length <= MAX_FORMAT) own.set(Number(attributes.numFmtId), code);
      } else if (name === 'xf' && isOfCells && formats.length < MAX_STYLES) {
        const id = Number(attributes.numFmtId ?? 0);
        formats.push(own.get(id) ?? builtIn(id));
      }
    },
    close(name) {
      if (name === 'cellXfs') isOfCells = false;
    },
  });
  return formats;
}

const BUILT_IN = SSF.get_table() as Readonly<Record<number, string>>;

const builtIn = (id: number): string =>
  EAST_ASIAN.find(([from, to]) => id >= from && id <= to)?.[2] ?? (id < 50 ? BUILT_IN[id] : undefined) ?? GENERAL;
