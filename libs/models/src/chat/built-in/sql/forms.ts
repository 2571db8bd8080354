/** Words of questions and of tables compared: without case, accents and number, across the two languages. */
import { fold } from '../words';
import { NAME_GROUPS, VALUE_GROUPS } from './bilingual';

/** What a folded word may be in the singular; synonyms stand for each other. */
export const formsOf = remembered(
  (word) => new Set(plainForms(word).flatMap((form) => NAME_GROUPS.get(form) ?? [form])),
);

export const sameWord = (a: string, b: string): boolean => a === b || meet(formsOf(a), formsOf(b));

/** Whether the words are the same without a synonym. */
export const samePlainWord = (a: string, b: string): boolean => a === b || meet(plainFormsOf(a), plainFormsOf(b));

/** The same without synonyms, for values: those are what they are. Participles also agree in gender. */
export const sameValueWord = (a: string, b: string): boolean =>
  a === b || (b.length > 2 && meet(valueFormsOf(a), valueFormsOf(b)));

/** Whether one is the other's translation, for values that say a state. */
export const sameStateWord = (a: string, b: string): boolean => meet(stateFormsOf(a), stateFormsOf(b));

const plainFormsOf = remembered((word) => new Set(plainForms(word)));
const valueFormsOf = remembered((word) => new Set(valueForms(word)));
const stateFormsOf = remembered(
  (word) =>
    new Set(
      plainForms(word).flatMap((form) => [form, form.replace(/a$/, 'o')].flatMap((one) => VALUE_GROUPS.get(one) ?? [])),
    ),
);

/** Words of questions and names come up again and again. */
function remembered(forms: (word: string) => ReadonlySet<string>): (word: string) => ReadonlySet<string> {
  const known = new Map<string, ReadonlySet<string>>();
  return (word) => {
    const found = known.get(word);
    if (found) return found;
    if (known.size >= MAX_REMEMBERED) known.clear();
    const made = forms(word);
    known.set(word, made);
    return made;
  };
}

function plainForms(word: string): string[] {
  const forms = [word];
  if (word.length < 4 || /\d/.test(word)) return forms;
  if (word.endsWith('s')) forms.push(word.slice(0, -1));
  if (word.endsWith('es') && word.length > 4) forms.push(word.slice(0, -2));
  if (word.endsWith('ies')) forms.push(`${word.slice(0, -3)}y`);
  if (word.endsWith('ces')) forms.push(`${word.slice(0, -3)}z`);
  return forms;
}

const valueForms = (word: string): string[] =>
  plainForms(word).flatMap((form) => (/[ai]da$/.test(form) ? [form, `${form.slice(0, -1)}o`] : [form]));

function meet(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  for (const form of a) if (b.has(form)) return true;
  return false;
}

const MAX_REMEMBERED = 20_000;

export interface Word {
  readonly kind: 'word' | 'number' | 'quoted' | 'sign';
  /** Folded; of a quotation, as it is. */
  readonly text: string;
  readonly raw: string;
  readonly start: number;
  readonly end: number;
}

/** A sign that is left out changes what is asked: "-3", "O+", "!=". A dash between words or digits only joins. */
const LEXEMES =
  /["“«]([^"”»]{1,200})["”»]|(?<![\p{L}\p{N}])'([^'\n]{1,200})'(?![\p{L}\p{N}])|(?<![^\s(<>=])[-−]?\d+(?:[.,]\d+)*(?![\p{L}\p{N}])|\d+(?:[.,]\d+)*(?![\p{L}\p{N}])|[\p{L}\p{M}\p{N}]+(?:['’]\p{L}+)?|>=|<=|<>|!=|≥|≤|[<>=%,;+#*≠±~^×¬]|(?<![\p{L}\p{N}])[-−](?=\S)|(?<=\S)[-−](?![\p{L}\p{N}])/gu;

/** A question, or a name in a table, in words, numbers, quotations and signs. */
export function wordsOf(text: string): Word[] {
  return [...text.matchAll(LEXEMES)].map((match): Word => {
    const [raw] = match;
    const at = { raw, start: match.index, end: match.index + raw.length };
    const quotation = match[1] ?? match[2];
    if (quotation !== undefined) return { kind: 'quoted', text: quotation.trim(), ...at };
    if (/^[-−]?\d+(?:[.,]\d+)*$/.test(raw)) return { kind: 'number', text: raw.replace('−', '-'), ...at };
    if (!/[\p{L}\p{N}]/u.test(raw)) return { kind: 'sign', text: raw, ...at };
    const folded = fold(raw)
      .replace(/['’](?:s|re|d|ve|m|ll)$/, '')
      .replace(/['’]/, '');
    return { kind: 'word', text: folded, ...at };
  });
}
