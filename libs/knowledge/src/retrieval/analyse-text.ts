/**
 * The form in which words of texts and of queries meet: compatibility form, lower case, no accents, no zero-width
 * characters and no soft hyphens; grammar words left out; the stem beside the word. What is written together
 * (`apt-get`, `/etc/apt/sources.list`, `fileName`) is kept whole and also taken apart.
 */
import { stemmer as englishStem } from '@orama/stemmers/english';
import { stemmer as spanishStem } from '@orama/stemmers/spanish';
import { detectLanguage, type Language } from './language';
import { ENGLISH_STOP_WORDS, SPANISH_STOP_WORDS } from './stop-words';

/** Longer ones are data, not words. */
const MAX_TERM = 64;
/** A question is a few words long; a page pasted as a question is searched by its first so many terms. */
const MAX_QUERY_TERMS = 96;
/**
 * Marks of a stem, which keep it apart from words that look like it, so that every word counts twice: as it is
 * written, and as it is meant.
 */
const STEM = '~';
/** Marks a stem that a text has more than once. So a passage about a thing comes before one that mentions it. */
const REPEATED = '×2';

const INVISIBLE = /[\u00ad\u034f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]/g;
const APOSTROPHE = /(?<=\p{L})['’ʼ](?=\p{L})/gu;
const COMPOUND = /[\p{L}\p{N}\p{M}]+(?:[._/\\@:+~-]{1,3}[\p{L}\p{N}\p{M}]+)*(?:[+#]{1,2}(?![\p{L}\p{N}]))?/gu;
const PART = /[\p{L}\p{N}\p{M}]+/gu;
const HUMP = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
/** Written without spaces; two characters at a time stand for words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

const BOTH: readonly Language[] = ['en', 'es'];

const STEMS: Record<Language, (word: string) => string> = {
  en: englishStem,
  // The stemmer knows these endings only with their accent, which is often left out.
  es: (word) => spanishStem(word.replace(/([cs])ion$/, '$1ión').replace(/logia(s?)$/, 'logía$1')),
};

/** Each term once, in the order of the text. `language` says how words are inflected where the text itself does not. */
export function analyseText(text: string, language?: Language): string[] {
  const { terms, stems } = termsOf(text, detectLanguage(text) ?? language);
  return [...terms, ...[...stems].filter(([, times]) => times > 1).map(([stem]) => stem + REPEATED)];
}

/** The terms by which a question is looked for. */
export function analyseQuery(text: string): string[] {
  const query = text.toWellFormed();
  const { terms, stems } = termsOf(query, detectLanguage(query));
  return [...terms].slice(0, MAX_QUERY_TERMS).flatMap((term) => (stems.has(term) ? [term, term + REPEATED] : [term]));
}

interface Terms {
  readonly terms: ReadonlySet<string>;
  /** How often a word with this stem occurs. */
  readonly stems: ReadonlyMap<string, number>;
}

/** In a language that is not known, words have a stem in each of those that could be meant. */
function termsOf(text: string, language: Language | undefined): Terms {
  const languages = language ? [language] : BOTH;
  const terms = new Set<string>();
  const stems = new Map<string, number>();
  const note = (term: string) => {
    if (term.length > 0 && term.length <= MAX_TERM) terms.add(term);
  };
  const noteStem = (stem: string) => {
    note(stem);
    stems.set(stem, (stems.get(stem) ?? 0) + 1);
  };
  const noteWord = (word: string) => {
    const folded = fold(word);
    if (ENGLISH_STOP_WORDS.has(folded) || SPANISH_STOP_WORDS.has(folded) || folded.length > MAX_TERM) return;
    if (UNSPACED.test(folded)) return pairs(folded).forEach(note);
    note(folded);
    new Set(languages.map((each) => STEM + fold(STEMS[each](word)))).forEach(noteStem);
  };
  for (const [compound] of text.normalize('NFKC').replace(INVISIBLE, '').replace(APOSTROPHE, '').matchAll(COMPOUND)) {
    const parts = compound.match(PART) ?? [];
    for (const part of parts) {
      noteWord(part.toLowerCase());
      const humps = part.split(HUMP);
      if (humps.length > 1) for (const hump of humps) noteWord(hump.toLowerCase());
    }
    if (parts[0] !== compound) {
      note(fold(compound.toLowerCase()));
      for (const name of compound.split(/[/\\]+/)) if (name.match(PART)?.[0] !== name) note(fold(name.toLowerCase()));
    }
  }
  return { terms, stems };
}

const fold = (word: string) => word.normalize('NFD').replace(/\p{M}/gu, '');

function pairs(word: string): string[] {
  const characters = [...word];
  if (characters.length < 3) return [word];
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`);
}
