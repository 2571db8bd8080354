import { ENGLISH_STOP_WORDS, SPANISH_STOP_WORDS } from './stop-words';

/** The languages whose inflections are known here. */
export type Language = 'en' | 'es';

/** Words that say nothing about the language, because both have them. */
const BOTH = new Set([...ENGLISH_STOP_WORDS].filter((word) => SPANISH_STOP_WORDS.has(word)));

/**
 * English, Spanish, or undefined where the text does not tell: it is short, in both, or in neither. Reads its
 * beginning only.
 */
export function detectLanguage(text: string): Language | undefined {
  const sample = text.slice(0, 20_000).toLowerCase();
  let [english, spanish] = [0, /[¿¡ñ]/.test(sample) ? 2 : 0];
  for (const [word] of sample.matchAll(/\p{L}+/gu)) {
    const plain = word.normalize('NFD').replace(/\p{M}/gu, '');
    if (BOTH.has(plain)) continue;
    if (ENGLISH_STOP_WORDS.has(plain)) english += 1;
    else if (SPANISH_STOP_WORDS.has(plain)) spanish += 1;
    else if (/[áéíóú]/.test(word)) spanish += 0.5;
  }
  if (english >= 1 && english >= 2 * spanish) return 'en';
  if (spanish >= 1 && spanish >= 2 * english) return 'es';
  return undefined;
}
