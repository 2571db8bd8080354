/**
 * Words as the built-in model compares them: without case, accents and endings.
 *
 * English endings are left to Porter's rules. Spanish has rules of its own here, because people leave accents out of
 * questions and the published stemmers depend on them.
 */
import { stemmer as stemEnglish } from '@orama/stemmers/english';
import type { Language } from './language';

export interface Token {
  /** As written. */
  readonly raw: string;
  /** Folded: lower case, no accents, no possessive. */
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

const WORD = /[\p{L}\p{N}\p{M}]+(?:['’]\p{L}+)?/gu;

/** Lower case without accents, ligatures and width variants. */
export function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** The words of a text in order, at most `limit` of them. */
export function tokensOf(text: string, limit = 20_000): Token[] {
  const tokens: Token[] = [];
  for (const match of text.matchAll(WORD)) {
    if (tokens.length >= limit) break;
    const [raw] = match;
    const word = fold(raw)
      .replace(/['’]s$/, '')
      .replace(/['’]/, '');
    tokens.push({ raw, word, start: match.index, end: match.index + raw.length });
  }
  return tokens;
}

/** A word without its ending; `word` is folded. Numbers stay as they are. */
export function stem(word: string, language: Language): string {
  if (word.length < 4 || word.length > 40 || /\d/.test(word)) return word;
  return language === 'es' ? stemSpanish(word) : stemEnglish(word);
}

const SPANISH_ENDINGS = [
  ...['amiento', 'imiento', 'acion', 'icion', 'ucion', 'mente'].map((end) => ({ end, rest: 4 })),
  ...['adora', 'ador'].map((end) => ({ end, rest: 3 })),
  ...['arse', 'erse', 'irse', 'arlo', 'erlo', 'irlo', 'arla', 'erla', 'irla'].map((end) => ({ end, rest: 3 })),
  ...['cion', 'iendo', 'ando', 'ieron', 'aron', 'aban', 'aran', 'eran', 'iran'].map((end) => ({ end, rest: 3 })),
  ...['aba', 'ada', 'ado', 'ida', 'ido', 'ara', 'era', 'ira', 'amo', 'emo', 'imo'].map((end) => ({ end, rest: 3 })),
  ...['ar', 'er', 'ir', 'an', 'en'].map((end) => ({ end, rest: 3 })),
];

function stemSpanish(word: string): string {
  const singular = withoutSpanishPlural(word);
  const ending = SPANISH_ENDINGS.find(
    ({ end, rest }) => singular.endsWith(end) && singular.length - end.length >= rest,
  );
  const short = ending ? singular.slice(0, -ending.end.length) : singular;
  const bare = short.length > 3 && /[aeiou]$/.test(short) ? short.slice(0, -1) : short;
  // "cierran" and "cerrar", "vuelve" and "volver", "cuesta" and "costar" are one verb; an account is no count.
  if (bare === 'cuent') return bare;
  return bare.replace(/(?<=[^aeiouqg])ue(?=.)/, 'o').replace(/(?<=[^aeiou])ie(?=.)/, 'e');
}

function withoutSpanishPlural(word: string): string {
  if (word.length >= 5 && /[^aeiou]es$/.test(word)) return word.slice(0, -2);
  return /[aeiou]s$/.test(word) ? word.slice(0, -1) : word;
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/).filter(Boolean));

/** Words that carry no meaning of their own, in both languages. Question words are among them. */
export const STOP_WORDS = words(`
  a an the this that these those it its they them their he she his her we us our you your i me my mine yours
  is are was were be been being am do does did done doing have has had having will would shall should can could may
  might must of in on at by for to from with without into onto over under about as than then so such if or and but not
  no nor only also just very too there here what which who whom whose when where why how many much long often soon any some
  all each every both either neither between during before after above below up down out off again once same other own
  im ive id ill youre theres whats wheres whos isnt arent dont doesnt didnt wont cant please kindly hi hello
  el la los las un una unos unas lo al del de en y o u e que cual cuales quien quienes cuando donde como cuanto cuanta
  cuantos cuantas por para con sin sobre entre desde hasta hacia segun se su sus mi mis tu tus nuestro nuestra nuestros
  nuestras me te le les nos es son era eran fue fueron ser estar esta este esto estos estas ese esa eso esos esas
  aquel aquella hay ha han he hemos haber tiene tienen tengo tenemos tener debe deben debo puede pueden puedo podemos
  si no ni mas muy ya tambien pero cada todo toda todos todas algun alguna alguno algunos algunas ningun ninguna
  mismo misma otro otra otros otras yo usted ustedes ellos ellas a cuyo cuya porque pues quiero quisiera favor
`);

/** Words that questions are full of and answers often lack: they count little. */
export const LIGHT_WORDS = words(`
  get gets got take takes taking taken need needs needed give gives given make makes made use used using apply applies
  pay pays happen happens mean means allow allowed allows offer offers provide provides say says tell document documents file
  files information company employee employees staff worker workers people person user users policy policies rule rules
  entitled available possible want know find explain describe show consist include included includes go goes going set
  period capacity amount value length limit limited valid competent required requirement kind type sort
  handbook manual text article define defined definition exactly currently called name maximum minimum there
  obtener da dan dar hacer hace hago usar usa uso utilizar necesito necesita necesitan permite permiten permitido
  permitida ofrece ofrecen dice decir documento documentos archivo informacion empresa empleado empleados empleada
  trabajador trabajadores trabajadora persona personas politica politicas norma normas corresponde corresponden derecho
  disponible posible saber explica explicar describe consiste incluye incluido existe existen pasa ocurre sucede
  significa llama nombre maximo maxima minimo minima manual texto articulo define definicion exactamente actualmente
  dispongo dispone dispones disponen disponemos disponer cuento cuentan contar
  paga pagan tomar tomo coger periodo plazo capacidad cantidad valor limite limitado valido competente competentes tipo clase
`);

const NUMBER_WORDS = words(`
  one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
  nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million half twice unlimited
  uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete dieciocho
  diecinueve veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa cien ciento mil millon medio media
  ilimitado ilimitada ilimitados ilimitadas
`);

/** Whether a folded word says a number, in digits or letters. */
export const saysNumber = (word: string): boolean => /\d/.test(word) || NUMBER_WORDS.has(word);
