import { analyseText } from '@app/knowledge';
import { otherWordsFor } from '@app/models';
import { schemaWordsFor } from './schema-words';
import type { TableTerms, TermGroup } from './table-terms';

/** A page pasted as a question is looked for by its first words. */
const MAX_WORDS = 60;
/** What each way to say a word is worth. */
const WEIGHTS = { stem: 0.9, otherWord: 0.8, alike: 0.6 } as const;

/** The words of a question, each with the ways in which the tables may say it: as it is, by its stem, in other words. */
export function questionTerms(question: string, terms?: Pick<TableTerms, 'alike'>): TermGroup[] {
  const words = new Set(question.normalize('NFKC').match(/[\p{L}\p{N}_]+/gu) ?? []);
  return [...words].slice(0, MAX_WORDS).flatMap((word): TermGroup[] => {
    const own = waysToWrite(word);
    if (own.length === 0) return [];
    const plain = own.filter((term) => !isStem(term));
    const others = new Set(plain.flatMap((term) => [...otherWordsFor(term), ...schemaWordsFor(term)]));
    return [
      {
        word,
        ways: [
          ...own.map((term) => ({ term, weight: isStem(term) ? WEIGHTS.stem : 1 })),
          ...[...others].flatMap(waysToWrite).map((term) => ({ term, weight: WEIGHTS.otherWord })),
          ...plain
            .flatMap((term) => terms?.alike(term) ?? [])
            .map(({ term, likeness }) => ({ term, weight: WEIGHTS.alike * likeness })),
        ],
      },
    ];
  });
}

const waysToWrite = (word: string) => analyseText(word).filter((term) => !term.endsWith('×2'));
const isStem = (term: string) => term.startsWith('~');
