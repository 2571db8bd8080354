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

/** Others share words with Spanish, so that each is counted for itself. */
const OTHERS = [
  `le la les des du de est sont quel quelle quels quelles combien dans pour avec nous vous il elle au aux un une qui que
  quand ou comment pas ce cette ces mon ma mes son sa ses votre vos notre nos peut puis et en je faut`,
  `il lo la gli le del della dello dei delle di che chi quanto quanta quanti quante quando dove come sono e nel nella per
  con una uno un si puo qual quale quali costa questo questa`,
  `qual quais quanto quanta quantos quantas quando onde nao sao da do das dos de em no na uma um os ao pela pelo com para
  que voce posso tem tenho dias ferias custa`,
  `der die das den dem des ein eine einen einer ist sind wie viel viele lange wann wo wer was welche welcher und fur mit
  von im zum zur kann ich nicht auf bei gilt kostet hat`,
].map((list) => new Set(list.split(/\s+/)));

/**
 * The first text that leaves no doubt decides; English when none does, and for languages that are neither of the two.
 * Looks at 400 words of each.
 */
export function languageOf(...texts: readonly string[]): Language {
  for (const text of texts) {
    const sample = text.slice(0, 4000);
    let balance = /[¿¡ñÑ]/.test(sample) ? 3 : /[áéíóúÁÉÍÓÚ]/.test(sample) ? 1 : 0;
    const said = tokensOf(sample, 400).map(({ word }) => word);
    for (const word of said) balance += Number(SPANISH.has(word)) - Number(ENGLISH.has(word));
    const foreign = Math.max(...OTHERS.map((other) => said.filter((word) => other.has(word)).length));
    const signs = /[àèùâêîôûçãõäöüßœ]/i.test(sample) ? 2 : 0;
    if (balance >= 0 && foreign + signs > Math.max(1, balance)) return 'en';
    if (balance !== 0) return balance > 0 ? 'es' : 'en';
  }
  return 'en';
}
