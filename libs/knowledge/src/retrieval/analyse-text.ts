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
/** A question is a few words long; a page pasted as a question is searched by its first so many. */
const MAX_QUERY_TERMS = 64;

const INVISIBLE = /[\u00ad\u034f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]/g;
const APOSTROPHE = /(?<=\p{L})['’ʼ](?=\p{L})/gu;
const COMPOUND = /[\p{L}\p{N}\p{M}]+(?:[._/\\@:+~-]{1,3}[\p{L}\p{N}\p{M}]+)*(?:[+#]{1,2}(?![\p{L}\p{N}]))?/gu;
const PART = /[\p{L}\p{N}\p{M}]+/gu;
const HUMP = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
/** Written without spaces; two characters at a time stand for words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

const STEMS: Record<Language, (word: string) => string> = {
  en: englishStem,
  // The stemmer knows these endings only with their accent, which is often left out.
  es: (word) => spanishStem(word.replace(/([cs])ion$/, '$1ión').replace(/logia(s?)$/, 'logía$1')),
};

/** Each term once, in the order of the text. `language` says how words are inflected where the text itself does not. */
export function analyseText(text: string, language?: Language): string[] {
  const spoken = detectLanguage(text) ?? language;
  return [...termsOf(text, spoken ? [spoken] : ['en', 'es'])];
}

/** The terms by which a question is looked for: the stems of both languages, because few words tell theirs. */
export function analyseQuery(text: string): string[] {
  return [...termsOf(text.toWellFormed(), ['en', 'es'])].slice(0, MAX_QUERY_TERMS);
}

function termsOf(text: string, languages: readonly Language[]): Set<string> {
  const terms = new Set<string>();
  const note = (term: string) => {
    if (term.length > 0 && term.length <= MAX_TERM) terms.add(term);
  };
  const noteWord = (word: string) => {
    const folded = fold(word);
    if (ENGLISH_STOP_WORDS.has(folded) || SPANISH_STOP_WORDS.has(folded)) return;
    if (UNSPACED.test(folded)) return pairs(folded).forEach(note);
    note(folded);
    if (folded.length > 2 && folded.length <= MAX_TERM) {
      for (const language of languages) note(fold(STEMS[language](word)));
    }
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
  return terms;
}

const fold = (word: string) => word.normalize('NFD').replace(/\p{M}/gu, '');

function pairs(word: string): string[] {
  const characters = [...word];
  if (characters.length < 3) return [word];
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`);
}
