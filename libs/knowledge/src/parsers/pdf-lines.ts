/** Lines to running text: words that were hyphenated to fit the line are whole again. */

/** Every word of the document in lower case, which tells how a word is written where no line ends inside it. */
export type WordForms = ReadonlySet<string>;

const HYPHEN_AT_END = /(\p{L}+)[-\u2010\u00ad]$/u;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uff60]/u;

export function joinLines(lines: readonly string[], words: WordForms): string {
  let text = '';
  for (const line of lines) {
    if (text === '') text = line;
    else text = joinTwo(text, line, words);
  }
  return text;
}

export function collectWords(lines: Iterable<string>): Set<string> {
  const words = new Set<string>();
  for (const line of lines) {
    for (const [word] of line.matchAll(/\p{L}+(?:-\p{L}+)*/gu)) if (words.size < 200_000) words.add(word.toLowerCase());
  }
  return words;
}

function joinTwo(text: string, line: string, words: WordForms): string {
  const before = HYPHEN_AT_END.exec(text.slice(-60))?.[1];
  const after = /^\p{L}+/u.exec(line.slice(0, 60))?.[0];
  if (before && after) {
    const whole = (before + after).toLowerCase();
    const compound = `${before}-${after}`.toLowerCase();
    const isCompound = !/^\p{Ll}/u.test(after) || (words.has(compound) && !words.has(whole));
    return isCompound ? text + line : text.slice(0, -1) + line;
  }
  if (UNSPACED.test(text.slice(-1)) && UNSPACED.test(line.slice(0, 1))) return text + line;
  return `${text} ${line}`;
}
