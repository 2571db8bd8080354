/** The parts of an XLSX workbook, found by what its relations say, and its sheets one after the other. */
import { LimitExceededError, UnsupportedFileError } from '../parsers/parser-errors';
import type { Budget } from './sheet-tables';
import { readFormats } from './xlsx-formats';
import { readSheet, type SheetContent } from './xlsx-sheet';
import { readStrings } from './xlsx-strings';
import { readXlsxXml } from './xlsx-xml';

export interface XlsxSheet extends SheetContent {
  readonly name: string;
  readonly hidden: boolean;
  readonly from1904: boolean;
}

/** @param parts of the archive, by name. */
export type Parts = ReadonlyMap<string, Buffer>;

interface Relation {
  /** The last word of its type: `worksheet`, `sharedStrings`. */
  readonly kind: string;
  readonly part: string;
}

interface SheetEntry {
  readonly name: string;
  readonly hidden: boolean;
  readonly relation: string;
}

/**
 * @throws UnsafeFileError, UnsupportedFileError
 * @throws LimitExceededError
 */
export function* xlsxSheets(archive: Parts, budget: Budget, maxSheets: number): Generator<XlsxSheet> {
  // Names mean the same in capitals.
  const parts = new Map([...archive].map(([name, content]) => [name.toLowerCase(), content]));
  const workbook = [...relationsOf(parts, '').values()].find(({ kind }) => kind === 'officeDocument')?.part;
  const path = workbook !== undefined && parts.has(workbook) ? workbook : 'xl/workbook.xml';
  const { entries, from1904 } = readWorkbook(needed(parts, path, 'its list of sheets'));
  if (entries.length > maxSheets)
    throw new LimitExceededError(
      `the workbook has ${entries.length} sheets, at most ${maxSheets} are read`,
      'MAX_SHEETS',
    );
  const relations = relationsOf(parts, path);
  const partOf = (kind: string) => {
    const found = [...relations.values()].find((each) => each.kind === kind)?.part;
    return found === undefined ? undefined : parts.get(found);
  };
  const strings = partOf('sharedStrings');
  const styles = partOf('styles');
  const known = { strings: strings ? readStrings(strings) : [], formats: styles ? readFormats(styles) : [], from1904 };
  for (const { name, hidden, relation } of entries) {
    const sheet = relations.get(relation);
    // Charts, dialogs and macros have sheets too, without cells; modules have not even a part.
    if (relation === '' || (sheet && sheet.kind !== 'worksheet')) continue;
    const content = readSheet(needed(parts, sheet?.part, `the sheet “${name.slice(0, 60)}”`), known, budget);
    yield { ...content, name, hidden, from1904 };
  }
}

function needed(parts: Parts, name: string | undefined, what: string): Buffer {
  const part = name === undefined ? undefined : parts.get(name);
  if (!part) throw new UnsupportedFileError(`the workbook is damaged: ${what} is missing.`);
  return part;
}

function readWorkbook(part: Buffer): { entries: SheetEntry[]; from1904: boolean } {
  const entries: SheetEntry[] = [];
  let from1904 = false;
  readXlsxXml(part, {
    open(name, attributes) {
      if (name === 'workbookPr') from1904 = /^(?:1|true|on)$/i.test(attributes.date1904 ?? '');
      if (name !== 'sheet') return;
      const [, relation = ''] = Object.entries(attributes).find(([attribute]) => attribute.endsWith(':id')) ?? [];
      const hidden = /^(?:very)?hidden$/i.test(attributes.state ?? '');
      entries.push({ name: attributes.name ?? '', hidden, relation });
    },
  });
  return { entries, from1904 };
}

/** @param path of the part; '' for those of the archive as a whole. */
function relationsOf(parts: Parts, path: string): Map<string, Relation> {
  const slash = path.lastIndexOf('/') + 1;
  const part = parts.get(`${path.slice(0, slash)}_rels/${path.slice(slash)}.rels`);
  const relations = new Map<string, Relation>();
  if (!part) return relations;
  readXlsxXml(part, {
    open(name, attributes) {
      if (name !== 'Relationship' || attributes.TargetMode === 'External') return;
      const { Id = '', Type = '', Target = '' } = attributes;
      relations.set(Id, { kind: Type.slice(Type.lastIndexOf('/') + 1), part: targetOf(path, Target) });
    },
  });
  return relations;
}

function targetOf(path: string, target: string): string {
  const folders = /^[/\\]/.test(target) ? [] : path.split('/').slice(0, -1);
  for (const each of target.split(/[/\\]/)) {
    if (each === '..') folders.pop();
    else if (each !== '' && each !== '.') folders.push(each);
  }
  return folders.join('/').toLowerCase();
}
