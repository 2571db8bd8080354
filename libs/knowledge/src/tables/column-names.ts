/** Names: of columns and tables in SQL, and what the name of a column tells about its values. */

const MAX_NAME = 60;
/** Renamed, so that no object of ours ever has them as keys (SEC-66). */
const DANGEROUS = new Set(['__proto__', 'constructor', 'prototype']);
/** Words that SQL would not take as a column without quotes. */
const RESERVED = new Set(
  (
    'all analyse analyze and any array as asc asymmetric both case cast check collate column constraint create default ' +
    'deferrable desc describe distinct do else end except false fetch for foreign from grant group having in initially ' +
    'intersect into is join lambda lateral leading left like limit natural not null offset on only or order outer over ' +
    'overlaps pivot pivot_longer pivot_wider placing positional primary qualify references returning right select semi ' +
    'show similar some summarize symmetric table tablesample then to trailing true try_cast union unique unpivot using ' +
    'values variadic when where window with anti asof cross full glob inner map exclude replace'
  ).split(' '),
);

/** Gives out names that need no quotes in SQL, each once, whatever their case. */
export class SqlNames {
  private readonly taken = new Set<string>();

  /** @param fallback for an original without a letter or digit. */
  name(original: string, fallback: string): string {
    const base = sqlName(original) ?? fallback;
    let name = base;
    for (let at = 2; this.taken.has(name); at++) name = `${base.slice(0, MAX_NAME - 6)}_${at}`;
    this.taken.add(name);
    return name;
  }
}

function sqlName(original: string): string | undefined {
  const words = original
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('%', ' percent ')
    .replaceAll('#', ' number ')
    .replace(/[^\p{L}\p{M}\p{N}_]+/gu, '_')
    .normalize('NFC');
  const trimmed = [...words.replace(/^_+|_+$/g, '').replace(/_{2,}/g, '_')]
    .slice(0, MAX_NAME)
    .join('')
    .replace(/_$/, '');
  if (trimmed === '') return undefined;
  if (DANGEROUS.has(original.trim().toLowerCase()) || RESERVED.has(trimmed)) return `${trimmed}_`;
  return /^[\p{L}_]/u.test(trimmed) ? trimmed : `_${trimmed}`;
}

/** A header as plain words: `PostalCode`, `postal_code` and `Código postal` lose what differs. */
const headerWords = (header: string): string =>
  header
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    // `Nº` is `No`.
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const TEXT_CODES =
  /(?:^| )(?:zip|zip ?codes?|post ?codes?|postal ?codes?|codigos? postal(?:es)?|cod(?:igo)? postal|plz|postleitzahl|cp|c p|cap|phones?|phone (?:no|number)|telephone|tel|telefono|telefonos|fax|mobile|mobile (?:no|number)|movil|celular|iban|bic|swift|isbn|issn|ean|upc|gtin|sku|nif|cif|nie|dni|rfc|cpf|cnpj|nit|ssn|vat (?:no|number|id)|account (?:no|number|id)|(?:numero|num|n ?o?) de cuenta|card (?:no|number)|(?:numero|num|n ?o?) de tarjeta|passport(?: no| number)?|pasaporte|imei|fips|fips code|matricula|licen[cs]e plate)$/;
const IDENTIFIER =
  /(?:^| )(?:ids?|identifier|identificador|code|codes|codigo|cod|key|clave|ref|reference|referencia|uuid|guid|nr|no|num|number|numero|expediente|pedido id|row ?id)$/;

/** Digits under such a header are written like numbers and are none. */
export const namesTextCode = (header: string): boolean => TEXT_CODES.test(headerWords(header));

/** Digits under such a header may be numbers, but nobody would add them up. */
export const namesIdentifier = (header: string): boolean => IDENTIFIER.test(headerWords(header));

const NUMBERING =
  /(?:^| )(?:versions?|versiones|versione|versao|firmware)(?: (?:no|nr|num|number|numero))?$|^(?:releases?|sections?|seccion(?:es)?|chapters?|capitulos?|apartados?|kapitel|abschnitt|clauses?|clausulas?)$/;
const DIRECTION =
  /(?:^| )(?:hemispheres?|hemisferios?|hemisphare|directions?|direccion(?:es)?|direzione|direcao|himmelsrichtung|orientations?|orientacion|lat|latitude|latitud|lon|long|longitude|longitud|wind|viento|rumbo|ns|n s)(?: |$)/;

/** Figures with points under such a header are counted, not measured: 1.10 comes after 1.9. */
export const namesNumbering = (header: string): boolean => NUMBERING.test(headerWords(header));

/** North and south, not yes and no. */
export const namesDirection = (header: string): boolean => DIRECTION.test(headerWords(header));

export const namesDate = (header: string): boolean =>
  /(?:^| )(?:date|fecha|datum|data|day|dia|tag|jour)(?: |$)/.test(headerWords(header));
