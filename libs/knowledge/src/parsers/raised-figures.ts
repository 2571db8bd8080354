/**
 * Figures that stand above or below the line keep their place by the characters that Unicode has for them: `10<sup>6</sup>`
 * is not 106, and 1234 with a note 1 is not 12341.
 */
const ABOVE = '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾';
const BELOW = '₀₁₂₃₄₅₆₇₈₉₊₋₍₎';
const PLAIN = '0123456789+-()';
/** An exponent, an index, the numbers of notes; what is longer is text that is only set small. */
const FIGURES = /^\s*\(?[-+−–]?\d{1,3}(?:\s?[,;.–-]\s?\d{1,3}){0,8}\)?\s*$/;

/** @param before what stands in front of it on the line, of which the end matters. */
export function raisedFigures(text: string, place: 'above' | 'below', before = ''): string {
  if (!FIGURES.test(text) && !(/^\d/.test(text) && /\d/.test(before.slice(-1)))) return text;
  const characters = place === 'above' ? ABOVE : BELOW;
  return text.replace(/[\d+()−–-]/g, (character) => {
    const at = PLAIN.indexOf(/[−–]/.test(character) ? '-' : character);
    return characters[at] ?? character;
  });
}
