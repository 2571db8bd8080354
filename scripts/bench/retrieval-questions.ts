/** The questions of the retrieval benchmark, and how it is told whether a passage answers one. */
import { load } from 'cheerio';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const QUESTIONS = 'test/fixtures/retrieval/questions.json';

const questionSchema = z.object({
  language: z.enum(['en', 'es']),
  /** The file that holds the answer, under the corpus folder. */
  file: z.string(),
  question: z.string(),
  /** The same need in words that the passage does not use: what vectors are for. */
  reworded: z.string(),
  /** Words of the passage that answers, the first from `file`; the others are of passages that answer as well. */
  snippets: z.array(z.string()).min(1),
});

export type Question = z.infer<typeof questionSchema>;

export async function readQuestions(): Promise<Question[]> {
  return z.array(questionSchema).parse(JSON.parse(await readFile(QUESTIONS, 'utf8')));
}

/** Words alone, in lower case, so that line breaks, quotes and marks of formatting make no difference. */
export function wordsOf(text: string): string {
  return ` ${text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;
}

/** Whether a passage has the words that only the answer to the question has. */
export const answers = ({ snippets }: Question, passage: string) => {
  const words = wordsOf(passage);
  return snippets.some((snippet) => words.includes(wordsOf(snippet)));
};

/** The questions whose answer really is where they say, and those that would measure nothing. */
export async function sortOutQuestions(corpus: string, questions: readonly Question[]) {
  const asked: Question[] = [];
  const unfounded: Question[] = [];
  for (const question of questions) {
    const page = await readFile(join(corpus, question.file), 'utf8').catch(() => '');
    const found = wordsOf(load(page)('body').text()).includes(wordsOf(question.snippets[0]!));
    (found ? asked : unfounded).push(question);
  }
  return { asked, unfounded };
}
