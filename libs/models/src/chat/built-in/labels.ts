/** Values that a message gives under the argument's own name: "guests: 4", "el asunto es «Hola»". */
import type { Argument } from './argument-roles';
import { isCue } from './argument-roles';
import { numberFor } from './filling';
import type { ReadMessage } from './readings';

export interface Part {
  readonly start: number;
  readonly end: number;
}

interface Labelled extends Part {
  /** A sign stands between name and value, not a verb. */
  readonly isSign: boolean;
}

const LINK = /^["']?\s{0,3}(?:([:=]|->|→)|(?:is|es|son|are|será|of)\b)\s{0,3}/u;

/** Where the value stands that follows the argument's name and a colon, an equals sign or "is". */
export function labelledPart({ cues, label }: Argument, { tokens, text, language }: ReadMessage): Labelled | undefined {
  const named = cues.slice(0, label.length);
  for (let i = 0; i + label.length <= tokens.length && label.length > 0; i++) {
    const isLabel = named.every(
      (cue, k) => tokens[i + k].word === label[k] || isCue(cue, tokens[i + k].word, language),
    );
    if (!isLabel) continue;
    const last = tokens[i + label.length - 1];
    const link = LINK.exec(text.slice(last.end, last.end + 20));
    if (!link) continue;
    const start = last.end + link[0].length;
    const rest = text.slice(start, start + 2000);
    const stop = /\n|;|[.!?](?=\s|$)|,\s(?=[\p{L}_ ]{1,30}[:=])/u.exec(rest)?.index ?? rest.length;
    if (stop > 0) return { start, end: start + stop, isSign: link[1] !== undefined };
  }
  return undefined;
}

/** The value in a labelled part, as the argument's type wants it. */
export function valueAfterLabel(
  argument: Argument,
  { start, end, isSign }: Labelled,
  { readings, text }: ReadMessage,
): (Part & { readonly value: unknown }) | undefined {
  const inside = readings.filter((reading) => reading.start >= start && reading.end <= Math.max(end, reading.start));
  const first = inside.find((reading) => reading.start <= start + 3);
  const written = text.slice(start, end);
  switch (argument.leaf.type) {
    case 'number':
    case 'integer': {
      const number = inside.find((reading) => reading.kind === 'number' && reading.start < end);
      const value = number && numberFor(argument, number);
      return value === undefined ? undefined : { value, start: number!.start, end: number!.end };
    }
    case 'boolean': {
      const said = /^["']?(yes|true|on|sí|si|verdadero|no|false|off|falso)(?!\p{L})/iu.exec(written)?.[1].toLowerCase();
      if (said === undefined) return undefined;
      return { value: /^(yes|true|on|s[ií]|verdadero)$/.test(said), start, end: start + said.length };
    }
    default: {
      if (['date', 'dateTime', 'time', 'email', 'url'].includes(argument.role)) return undefined;
      if (first && first.kind === 'quoted') return { value: first.text, start: first.start, end: first.end };
      if (isSign) {
        const value = written.split(/,\s/)[0].trim();
        const whole =
          argument.role === 'content' || argument.role === 'query' || argument.role === 'title'
            ? written.trim()
            : value;
        return whole === '' ? undefined : { value: whole, start, end: start + whole.length };
      }
      const named = first && ['name', 'identifier', 'number'].includes(first.kind) ? first : undefined;
      return named && { value: named.text, start: named.start, end: named.end };
    }
  }
}
