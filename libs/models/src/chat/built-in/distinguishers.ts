/**
 * Whether a sentence is about the very thing that a question asks of, and not about another of its kind.
 *
 * The built-in model quotes: a sentence about plan A is a wrong answer about plan C, however well it fits otherwise.
 * What tells the one from the other has to be said by the sentence itself, by its headings, or by the sentence before
 * it where it only says "it"; and it must not be said of another.
 */
import type { Candidate } from './candidates';
import { hasMark, marksOf, readMarks, saysOther } from './marks-of-kind';
import { modifiedIn, narrows, tellsOfOther } from './modifiers';
import type { Question } from './question';
import { fold } from './words';

const LEANS_BACK =
  /^(?:it|its|they|their|this|these|that|su|sus|este|esta|esto|estos|estas|tiene|cuesta|mide|pesa|dura|admite|incluye|dispone|ademas)\b/;

/** Whether a sentence takes its subject from the one before it. */
export const leansBack = ({ sentence }: Candidate): boolean =>
  sentence.kind === 'prose' && LEANS_BACK.test(fold(sentence.text.slice(0, 40)));

/** Tells the sentences that may answer the question from those about other things of the kind. */
export function standsFor(question: Question, candidates: readonly Candidate[]): (candidate: Candidate) => boolean {
  const { language } = question;
  const marks = marksOf(question.text, language);
  const narrowed = modifiedIn(question.text, language).filter(narrows);
  return (candidate) => {
    const { sentence } = candidate;
    if (marks.length > 0) {
      const own = readMarks(sentence.text, sentence.kind === 'row');
      const before =
        candidate.around.length > 1 && leansBack(candidate) ? candidates[candidate.position - 1] : undefined;
      const above = [...sentence.headings, ...(before ? [before.sentence.text] : [])];
      const isMarked = marks.every(
        (mark) =>
          hasMark(mark, own, language) ||
          (!saysOther(mark, own, language) && above.some((text) => hasMark(mark, readMarks(text, false), language))),
      );
      if (!isMarked) return false;
    }
    if (narrowed.length === 0) return true;
    const said = modifiedIn(sentence.text, language);
    return !narrowed.some((asked) => tellsOfOther(asked, said, candidate.own.stems, language));
  };
}
