/** Which of its two languages the built-in model should answer in. */
import { tokensOf } from './words';

export type Language = 'en' | 'es';

const ENGLISH = new Set(
  `the is are was were of and to in for with what which who how when where why does do did can could should would i
  you we they my your our this that these those it its not be has have from at on by or if please tell show about
  hello hi thanks thank there any much many will get next between`.split(/\s+/),
);
const SPANISH = new Set(
  `el la los las de del que y en para con por una uno unos es son era fue como cual cuales cuando cuanto cuanta cuantos
  cuantas donde quien quienes se su sus mi mis tu tus nuestro nuestra al lo este esta esto ese esa hay tiene tienen
  puedo puede debo debe sobre sin segun mas muy hola gracias dime muestrame quiero necesito crea envia busca calcula un
  ayuda buenos buenas dias tardes noches adios hasta luego entre desde pero porque ya si`.split(/\s+/),
);

/** The first text that leaves no doubt decides; English when none does. Looks at 400 words of each. */
export function languageOf(...texts: readonly string[]): Language {
  for (const text of texts) {
    const sample = text.slice(0, 4000);
    let balance = /[¿¡ñÑ]/.test(sample) ? 3 : /[áéíóúÁÉÍÓÚ]/.test(sample) ? 1 : 0;
    for (const { word } of tokensOf(sample, 400)) balance += Number(SPANISH.has(word)) - Number(ENGLISH.has(word));
    if (balance !== 0) return balance > 0 ? 'es' : 'en';
  }
  return 'en';
}
