/** What a reader has to know of how a question was taken; said beside the answer. */
import type { Language } from '../language';
import type { Column } from './described-table';
import type { Source } from './scope';

export type Note =
  /** Of several dates the one that is taken for "in 2024". */
  | {
      readonly t: 'date';
      readonly column: Column;
      /** What else may have been meant: other dates, and columns of years. */
      readonly others: readonly Column[];
    }
  /** Numbers in several currencies or units that are compared with one. */
  | { readonly t: 'mixed'; readonly column: Column }
  /** Values that count apart, though they are the same but for capitals or accents. */
  | { readonly t: 'spelled'; readonly column: Column; readonly values: readonly string[] }
  /** Days begin when the session's time zone says. */
  | { readonly t: 'zone'; readonly column: Column }
  /** A word that is a value in another language. */
  | { readonly t: 'value'; readonly said: string; readonly column: Column; readonly value: string }
  /** A date that is set or not stands for what happened or not. */
  | { readonly t: 'happened'; readonly column: Column }
  /** Rows without a partner in a join. */
  | { readonly t: 'alone'; readonly column: Column }
  /** Rows of which it is not known whether they have a value that is left out. */
  | { readonly t: 'unknown'; readonly column: Column }
  /** Rows of which it is not known whether they are so, and that are left out. */
  | { readonly t: 'unset'; readonly column: Column }
  /** Groups that are in the table and have none of the rows that count. */
  | { readonly t: 'zero'; readonly column: Column }
  /** Things that are taken for not so where no row of theirs is so. */
  | { readonly t: 'noneOf'; readonly column: Column }
  /** Rows whose quantity is zero or unknown. */
  | { readonly t: 'none'; readonly column: Column }
  /** A number behind the name of rows that also have names. */
  | { readonly t: 'key'; readonly column: Column }
  /** Numbers that are a hundred times what people speak of. */
  | { readonly t: 'cents'; readonly column: Column }
  /** Rows that may be deleted ones. */
  | { readonly t: 'deleted'; readonly column: Column }
  /** Of two tables with one name. */
  | { readonly t: 'table'; readonly name: string; readonly others: readonly string[] }
  /** A join that no foreign key says. */
  | { readonly t: 'join'; readonly column: Column; readonly other: Column }
  /** What sales are, where the question only says "sold". */
  | { readonly t: 'revenue'; readonly column: Column }
  /** The rows that connect two other tables. */
  | { readonly t: 'through'; readonly source: Source }
  | { readonly t: 'product'; readonly column: Column; readonly other: Column };

export function tellNote(note: Note, language: Language): string {
  return (language === 'es' ? spanish : english)(note);
}

/** A column as people call it, with its table. */
const called = ({ source, spec, json }: Column): string =>
  `${nameOf(source)}.${json ? json.join('.') : spec.original || spec.name}`;
const nameOf = ({ table: { spec } }: Source): string =>
  spec.name.includes('.') ? spec.name : (spec.original ?? spec.name);

function english(note: Note): string {
  switch (note.t) {
    case 'date':
      return `Dates are those of ${called(note.column)}${note.others.length > 0 ? `, not those of ${note.others.map(called).join(', ')}` : ''}.`;
    case 'mixed':
      return `Numbers are compared whatever ${called(note.column)} says.`;
    case 'spelled':
      return `Values of ${called(note.column)} that are written differently count apart: ${note.values.join(', ')}.`;
    case 'zone':
      return `Days of ${called(note.column)} are those of the session's time zone.`;
    case 'value':
      return `"${note.said}" was taken for ${called(note.column)} = ${JSON.stringify(note.value)}.`;
    case 'happened':
      return `It counts as done where ${called(note.column)} has a date.`;
    case 'alone':
      return `Rows without a value in ${called(note.column)} are a group of their own.`;
    case 'unknown':
      return `Rows without a value in ${called(note.column)} are counted too.`;
    case 'unset':
      return `Rows without a value in ${called(note.column)} are not counted.`;
    case 'zero':
      return `A value of ${called(note.column)} without any such row counts as 0.`;
    case 'noneOf':
      return `A value of ${called(note.column)} counts where none of its rows is so.`;
    case 'none':
      return `Those without are those whose ${called(note.column)} is 0 or has no value.`;
    case 'key':
      return `The number was taken for ${called(note.column)}, not for a part of a name.`;
    case 'cents':
      return `Numbers of ${called(note.column)} are cents, in the question too.`;
    case 'deleted':
      return `Rows are counted whatever ${called(note.column)} says.`;
    case 'table':
      return `The table is ${note.name}, not ${note.others.join(', ')}.`;
    case 'join':
      return `Rows were joined where ${called(note.column)} equals ${called(note.other)}; no foreign key says so.`;
    case 'revenue':
      return `The amount is the sum of ${called(note.column)}.`;
    case 'through':
      return `What belongs together is what ${nameOf(note.source)} connects.`;
    case 'product':
      return `Computed as ${called(note.column)} times ${called(note.other)}.`;
  }
}

function spanish(note: Note): string {
  switch (note.t) {
    case 'date':
      return `Las fechas son las de ${called(note.column)}${note.others.length > 0 ? `, no las de ${note.others.map(called).join(', ')}` : ''}.`;
    case 'mixed':
      return `Los números se comparan diga lo que diga ${called(note.column)}.`;
    case 'spelled':
      return `Los valores de ${called(note.column)} que se escriben de otro modo cuentan por separado: ${note.values.join(', ')}.`;
    case 'zone':
      return `Los días de ${called(note.column)} son los de la zona horaria de la sesión.`;
    case 'value':
      return `«${note.said}» se ha entendido como ${called(note.column)} = ${JSON.stringify(note.value)}.`;
    case 'happened':
      return `Se cuenta como hecho donde ${called(note.column)} tiene fecha.`;
    case 'alone':
      return `Las filas sin valor en ${called(note.column)} forman un grupo propio.`;
    case 'unknown':
      return `Se cuentan también las filas sin valor en ${called(note.column)}.`;
    case 'unset':
      return `No se cuentan las filas sin valor en ${called(note.column)}.`;
    case 'zero':
      return `Un valor de ${called(note.column)} sin ninguna fila así cuenta como 0.`;
    case 'noneOf':
      return `Un valor de ${called(note.column)} cuenta si ninguna de sus filas es así.`;
    case 'none':
      return `Se han tomado como «sin» las filas en que ${called(note.column)} es 0 o no tiene valor.`;
    case 'key':
      return `El número se ha entendido como ${called(note.column)}, no como parte de un nombre.`;
    case 'cents':
      return `Los números de ${called(note.column)} son céntimos, también los de la pregunta.`;
    case 'deleted':
      return `Se cuentan filas con cualquier valor de ${called(note.column)}.`;
    case 'table':
      return `La tabla es ${note.name}, no ${note.others.join(', ')}.`;
    case 'join':
      return `Las filas se unieron donde ${called(note.column)} es igual a ${called(note.other)}; ninguna clave ajena lo dice.`;
    case 'revenue':
      return `El importe es la suma de ${called(note.column)}.`;
    case 'through':
      return `Se relaciona lo que ${nameOf(note.source)} une.`;
    case 'product':
      return `Calculado como ${called(note.column)} por ${called(note.other)}.`;
  }
}
