/** What the name and description of an argument say about the values it takes. */
import { ideasOf } from './concepts';
import { languageOf, type Language } from './language';
import type { Leaf } from './schema-leaves';
import { fold, stem, STOP_WORDS, tokensOf } from './words';

export type Role =
  | 'email'
  | 'url'
  | 'phone'
  | 'date'
  | 'dateTime'
  | 'time'
  | 'identifier'
  | 'language'
  | 'currency'
  | 'origin'
  | 'destination'
  | 'place'
  | 'person'
  | 'title'
  | 'query'
  | 'content'
  | 'expression'
  | 'free';

/** An argument, understood. */
export interface Argument {
  readonly leaf: Leaf;
  readonly role: Role;
  /** Words of the name, folded, in order. */
  readonly label: readonly string[];
  readonly cues: readonly Cue[];
}

/** A word that announces the argument's value when it stands near it. */
export interface Cue {
  readonly stems: readonly string[];
  readonly ideas: readonly number[];
  /** 1 for a word of the name, less for one of the description. */
  readonly strength: number;
}

const has = (list: string) => {
  const known = new Set(list.split(' '));
  return (words: readonly string[]) => words.some((word) => known.has(word));
};

/** In this order: the first that fits the name decides. */
const BY_NAME: readonly (readonly [Role, (words: readonly string[]) => boolean])[] = [
  ['email', has('email emails mail correo')],
  ['url', has('url uri link website webpage enlace')],
  ['phone', has('phone telephone mobile telefono movil')],
  ['expression', has('expression formula equation expresion')],
  ['currency', has('currency moneda divisa')],
  ['query', has('query q question search prompt consulta pregunta busqueda term terms keyword keywords topic tema')],
  ['date', has('date day fecha dia when birthday deadline due checkin checkout')],
  ['time', has('time hour hora')],
  [
    'identifier',
    has(
      'id code number numero codigo ref reference referencia sku identifier identificador order ticket invoice tracking plate vat iban isbn',
    ),
  ],
  ['language', has('language lang idioma')],
  ['origin', has('origin source departure from origen')],
  ['destination', has('destination arrival destino to target')],
  [
    'place',
    has(
      'location city place address country region town state ubicacion ciudad lugar pais direccion area zone venue timezone',
    ),
  ],
  [
    'content',
    has(
      'text content message body note notes description comment details texto contenido mensaje nota descripcion comentario cuerpo reason motivo',
    ),
  ],
  ['title', has('title subject titulo asunto summary task tarea reminder')],
  [
    'person',
    has(
      'name customer client user person recipient assignee contact author company employee guest attendee attendees names nombre cliente usuario destinatario empresa empleado supplier owner',
    ),
  ],
];

/** Reads what a leaf wants. */
export function argumentOf(leaf: Leaf): Argument {
  const names = leaf.path.filter((part): part is string => typeof part === 'string');
  const own = wordsOfName(names.at(-1) ?? '');
  const above = names.slice(0, -1).flatMap(wordsOfName);
  const description = typeof leaf.schema.description === 'string' ? leaf.schema.description.slice(0, 1000) : '';
  const described = tokensOf(description, 60).map(({ word }) => word);
  const language = languageOf(description || 'the of');
  const cues = [
    ...own.map((word) => cueOf(word, 1, language)),
    ...above.map((word) => cueOf(word, 0.5, language)),
    ...described.filter((word) => !STOP_WORDS.has(word)).map((word) => cueOf(word, 0.4, language)),
  ];
  return { leaf, role: roleOf(leaf, own, fold(description)), label: own, cues };
}

/** Folded words of `camelCase`, `snake_case` and `kebab-case` names. */
export function wordsOfName(name: string): string[] {
  const spaced = name
    .slice(0, 200)
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/[_\-./]/g, ' ');
  return tokensOf(spaced, 20).map(({ word }) => word);
}

const cueOf = (word: string, strength: number, language: Language): Cue => ({
  stems: [...new Set([stem(word, 'en'), stem(word, 'es')])],
  ideas: [...new Set([...ideasOf(stem(word, 'en'), 'en'), ...ideasOf(stem(word, language), language)])],
  strength,
});

/** Whether a word of the message, folded, is or means the cue. */
export function isCue({ stems, ideas }: Cue, word: string, language: Language): boolean {
  const stemmed = stem(word, language);
  return stems.includes(stemmed) || ideasOf(stemmed, language).some((idea) => ideas.includes(idea));
}

function roleOf(leaf: Leaf, name: readonly string[], description: string): Role {
  const itemFormat = (leaf.schema.items as { format?: unknown } | undefined)?.format;
  switch (leaf.schema.format ?? itemFormat) {
    case 'email':
      return 'email';
    case 'uri':
    case 'url':
      return 'url';
    case 'date':
      return 'date';
    case 'date-time':
      return 'dateTime';
    case 'time':
      return 'time';
    case 'uuid':
      return 'identifier';
  }
  if (
    /^(to|from|recipient|address|cc|bcc|destinatario)s?$/.test(name.join(' ')) &&
    /\be-?mail\b|\bcorreo\b/.test(description)
  ) {
    return 'email';
  }
  // English puts the head of a name last (`email_subject`), Spanish first (`fecha_inicio`).
  for (const words of [name.slice(-1), name.slice(0, 1), name]) {
    const byName = BY_NAME.find(([, fits]) => fits(words))?.[0];
    if (byName) return byName;
  }
  if (
    /yyyy-mm-dd|\bdate\b|\bfecha\b/.test(description) &&
    /^(start|end|from|to|until|since|inicio|fin|desde|hasta)$/.test(name.join(' '))
  )
    return 'date';
  if (/yyyy-mm-dd/.test(description)) return 'date';
  if (/\be-?mail address\b/.test(description)) return 'email';
  return 'free';
}
