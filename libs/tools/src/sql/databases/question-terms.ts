import { analyseText } from '@app/knowledge';
import type { TableTerms, TermGroup } from './table-terms';

/** A page pasted as a question is looked for by its first words. */
const MAX_WORDS = 60;

/** The words of a question, each with the ways in which the tables may say it: as it is, by its stem, alike. */
export function questionTerms(question: string, terms: TableTerms): TermGroup[] {
  const words = new Set(question.normalize('NFKC').match(/[\p{L}\p{N}_]+/gu) ?? []);
  return [...words].slice(0, MAX_WORDS).flatMap((word): TermGroup[] => {
    const own = analyseText(word).filter((term) => !term.endsWith('×2'));
    if (own.length === 0) return [];
    const group = own.map((term) => ({ term, weight: term.startsWith('~') ? 0.9 : 1 }));
    const alike = own
      .filter((term) => !term.startsWith('~'))
      .flatMap((term) => terms.alike(term))
      .map(({ term, likeness }) => ({ term, weight: 0.7 * likeness }));
    return [[...group, ...alike]];
  });
}
