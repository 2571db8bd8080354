/** Words of questions and of tables compared: without case, accents and number, across the two languages. */
import { fold } from '../words';

/** Names of columns that say the same, so that an English question finds a Spanish column and the other way round. */
const SAME = [
  'price precio',
  'cost coste costo',
  'amount importe monto',
  'revenue ingreso',
  'sale venta',
  'salary sueldo salario wage',
  'unit unidad',
  'quantity cantidad',
  'date fecha',
  'customer cliente client',
  'product producto',
  'category categoria',
  'city ciudad',
  'country pais',
  'department departamento',
  'employee empleado empleada worker trabajador trabajadora people persona staff',
  'name nombre',
  'age edad',
  'year ano',
  'month mes',
  'order pedido',
  'salesperson vendedor vendedora seller',
  'weight peso',
  'height altura',
  'supplier proveedor',
  'store tienda shop',
  'discount descuento',
  'tax impuesto',
  'hour hora',
  'title titulo',
  'brand marca',
  'model modelo',
  'color colour',
  'temperature temperatura',
  'precipitation precipitacion',
  'wind viento',
  'genre genero',
  'invoice factura',
  'project proyecto',
  'channel canal',
  'warehouse almacen',
  'payment pago',
  'shipping envio',
  'rating valoracion puntuacion',
  'origin origen',
  'weather clima',
];
const GROUPS = new Map(SAME.flatMap((line) => line.split(' ').map((word) => [word, line.split(' ')[0]!] as const)));

/** What a folded word may be in the singular; synonyms stand for each other. */
export function formsOf(word: string): ReadonlySet<string> {
  return new Set(plainForms(word).map((form) => GROUPS.get(form) ?? form));
}

export const sameWord = (a: string, b: string): boolean => a === b || meet(formsOf(a), formsOf(b));

/** Whether the words are the same without a synonym. */
export const samePlainWord = (a: string, b: string): boolean => meet(new Set(plainForms(a)), new Set(plainForms(b)));

/** The same without synonyms, for values: those are what they are. Participles also agree in gender. */
export const sameValueWord = (a: string, b: string): boolean =>
  a === b || (b.length > 2 && meet(new Set(valueForms(a)), new Set(valueForms(b))));

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
