/**
 * Which East Asian charset bytes are in, by how likely each reading is.
 *
 * Two bytes are a character in each of them, so nearly any text decodes in several. What tells them apart are words: the
 * right reading has ideographs that stand together in a dictionary, kana, or syllables of everyday Korean; a wrong one
 * has rare ideographs side by side. Each character costs the more the less likely it is, as the negative logarithm of a
 * rough probability; all readings are of the same bytes, so their sums can be compared.
 */
import iconv from 'iconv-lite';

interface EastAsian {
  readonly charset: string;
  /** First and last bytes of its everyday ideographs, which are sorted apart from the rare ones. */
  readonly everyday?: readonly [first: number, last: number];
}

const EAST_ASIAN: readonly EastAsian[] = [
  { charset: 'gb18030', everyday: [0xb0, 0xd7] },
  { charset: 'big5', everyday: [0xa4, 0xc6] },
  { charset: 'shift_jis', everyday: [0x88, 0x97] },
  { charset: 'euc-jp', everyday: [0xb0, 0xce] },
  { charset: 'euc-kr' },
];
/** Bytes of different words that are looked at. */
const MAX_BYTES = 16 * 1024;
/** Words of bytes: what ends them is the second byte of no character. */
const WORDS_BEYOND_ASCII = /[\x30-\xff]*[\x80-\xff][\x30-\xff]*/g;

const COST = {
  undecodable: 40,
  symbol: 11,
  punctuation: 5.5,
  ascii: 4,
  /** In a word of the dictionary; alone, as in names. */
  ideograph: { word: 5, rareWord: 7, frequent: 6.5, alone: 8.5, rare: 11, hanja: 14 },
  kana: 4.5,
  halfKana: 4.4,
  /** Beside letters of another kind, or in a charset of another language: parts of something else. */
  strayKana: 8.5,
};
/** Where each byte is a character: two of them take the place of an ideograph. */
const SINGLE_COST = {
  control: 20,
  /** Inside a word, and around one. */
  symbol: 11,
  sign: 4.4,
  ascii: 4,
  asciiLetter: 3,
  accented: 4,
  /** Right behind another one. */
  accentedAgain: 5.5,
  letter: 3,
  capital: 3.6,
  /** Of a script other than Latin, with none of its kind beside. */
  lonely: 7,
  capitalWithin: 9,
};
/** Ideographs that stand alone often, in names above all. */
const FREQUENT = new Set(
  '王李张張刘劉陈陳杨楊赵趙黄黃周吴吳徐孙孫胡朱高林何郭马馬罗羅梁宋郑鄭谢謝韩韓唐冯馮于董萧蕭程曹袁邓鄧许許傅沈曾彭吕呂苏蘇' +
    '卢盧蒋蔣蔡贾賈丁魏薛叶葉余潘杜戴夏钟鍾汪田任姜范方石姚谭譚廖邹鄒熊金陆陸郝孔白崔康毛邱秦江史顾顧侯邵孟龙龍万萬段雷钱錢汤湯尹' +
    '伟偉芳娜敏静靜丽麗强強磊军軍洋勇艳艷杰傑娟涛濤明超秀霞平刚剛桂英华華玉兰蘭红紅文美玲志建国國海子小一二三四五六七八九十百千' +
    '男女是否有无無不大中上下左右前后後年月日元円个個件号號人市区區省县縣路街村町東东西南北内外新旧舊高低好的了在和与與及等済',
);

/** How often the parts of Korean syllables are met, of a thousand; the least of them where it is not named. */
const FIRST = weights(
  'ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ',
  'ㅇ220ㄱ130ㅅ90ㅈ90ㄷ80ㅎ70ㄹ70ㄴ60ㅂ60ㅁ50ㅊ30ㅌ20ㅍ20ㅋ10ㄲ8ㄸ8ㅆ6',
);
const MIDDLE = weights(
  'ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ',
  'ㅏ210ㅣ160ㅡ100ㅗ100ㅓ100ㅜ80ㅕ60ㅔ50ㅐ50ㅛ20ㅘ20ㅢ20ㅠ20ㅚ20ㅝ12ㅑ10ㅟ10ㅖ8',
);
const LAST = weights(
  '-ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ',
  '-480ㄴ130ㄹ90ㅇ90ㄱ70ㅁ50ㅂ30ㅅ20ㅆ20ㄷ6ㅌ4ㅍ4ㅎ4ㅈ4ㅊ4ㅄ4ㄶ4',
);

function weights(order: string, shares: string): number[] {
  const known = new Map([...shares.matchAll(/(\D)(\d+)/g)].map(([, part, share]) => [part, Number(share)]));
  return [...order].map((part) => (known.get(part) ?? 1) / 1000);
}

const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });
const everydaySets = new Map<string, ReadonlySet<string>>();

/**
 * @param guess what the detectors say, of East Asia or not.
 * @returns the likeliest of the charsets of East Asia, the guess, and the two of one byte for each character that are
 *   taken for East Asian ones most often.
 */
export function likelierCharset(bytes: Buffer, guess: string): string {
  const words = differentWords(bytes);
  const singles = [...(isEastAsian(guess) ? [] : [guess]), 'windows-1252', 'windows-1251'];
  const eastAsian = cheapest(EAST_ASIAN.map((one) => ({ charset: one.charset, cost: eastAsianCost(words, one) })));
  const single = cheapest(singles.map((charset) => ({ charset, cost: singleByteCost(words, charset) })));
  if (eastAsian.cost < single.cost) return eastAsian.charset;
  return isEastAsian(guess) ? single.charset : guess;
}

interface Reading {
  readonly charset: string;
  readonly cost: number;
}

const cheapest = (readings: readonly Reading[]): Reading =>
  readings.reduce((one, other) => (other.cost < one.cost ? other : one));

const isEastAsian = (charset: string) => /^(gb|big5|shift|sjis|euc|cp(932|936|949|950)\b)/i.test(charset);

/** A word counts once, however often it comes. */
function differentWords(bytes: Buffer): Buffer {
  const words = new Set<string>();
  let size = 0;
  for (const [word] of bytes.toString('latin1').matchAll(WORDS_BEYOND_ASCII)) {
    if (words.has(word)) continue;
    size += word.length;
    if (size > MAX_BYTES && words.size > 0) break;
    words.add(word.slice(0, MAX_BYTES));
  }
  return Buffer.from([...words].join('\n'), 'latin1');
}

function eastAsianCost(bytes: Buffer, { charset, everyday }: EastAsian): number {
  const common = everyday ? everydayOf(charset, everyday) : new Set<string>();
  const language = { isJapanese: /jis|jp/.test(charset), isKorean: charset === 'euc-kr' };
  let cost = 0;
  for (const line of iconv.decode(bytes, charset).split('\n')) {
    const isHalfKana = /^[\x00-\x40\uff61-\uff9f]*$/.test(line) && /[\uff61-\uff9f]{2}/.test(line);
    for (const { segment } of segmenter.segment(line)) {
      const isWord = /^\p{Script=Han}{2,}/u.test(segment);
      for (const character of segment) {
        cost += costOf(character, {
          isWord,
          isCommon: common.has(character),
          isHalfKana,
          ...language,
        });
      }
    }
  }
  return cost;
}

interface Place {
  readonly isWord: boolean;
  readonly isCommon: boolean;
  readonly isHalfKana: boolean;
  readonly isJapanese: boolean;
  readonly isKorean: boolean;
}

function costOf(character: string, { isWord, isCommon, isHalfKana, isJapanese, isKorean }: Place): number {
  if (character <= '\x7f') return COST.ascii;
  if (/[\x80-\x9f\ufffd]|\p{Unassigned}|\p{Private_Use}/u.test(character)) return COST.undecodable;
  if (/[\uff61-\uff9f]/.test(character)) return isHalfKana ? COST.halfKana : COST.strayKana;
  if (/\p{Script=Han}/u.test(character)) {
    if (isWord) return isCommon ? COST.ideograph.word : COST.ideograph.rareWord;
    if (isKorean) return COST.ideograph.hanja;
    if (isCommon && FREQUENT.has(character)) return COST.ideograph.frequent;
    return isCommon ? COST.ideograph.alone : COST.ideograph.rare;
  }
  if (/[\p{Script=Hiragana}\p{Script=Katakana}ー]/u.test(character)) return isJapanese ? COST.kana : COST.strayKana;
  if (character >= '가' && character <= '힣') return hangulCost(character);
  return /[\u3000-\u3002\u300a-\u3011\uff01-\uff5e・·…—“”‘’]/.test(character) ? COST.punctuation : COST.symbol;
}

/** Syllables of words come more often than their parts would make them. */
function hangulCost(syllable: string): number {
  const at = syllable.charCodeAt(0) - 0xac00;
  const [first, middle, last] = [FIRST[Math.floor(at / 588)], MIDDLE[Math.floor(at / 28) % 21], LAST[at % 28]];
  return -0.9 * Math.log((first as number) * (middle as number) * (last as number));
}

function singleByteCost(bytes: Buffer, charset: string): number {
  const text = iconv.decode(bytes, charset);
  let cost = 0;
  for (let at = 0; at < text.length; at++)
    cost += singleCostOf(text[at] as string, text[at - 1] ?? '', text[at + 1] ?? '');
  return cost;
}

const isLetter = (character: string) => /[\p{L}\p{M}]/u.test(character);

function singleCostOf(character: string, before: string, after: string): number {
  if (character === '\n') return 0;
  if (/[\x80-\x9f\ufffd]|\p{Private_Use}/u.test(character)) return SINGLE_COST.control;
  const isInside = isLetter(before) && isLetter(after);
  if (/[^\p{L}\p{M}\x00-\x7f]|[ªº]/u.test(character)) {
    const isQuote = /[“”‘’]/.test(character);
    const isSign = /[¡£§«°²³±º»½¿ªµ–—…„€№]/.test(character) && before <= '\x7f' && after <= '\x7f';
    return (isSign || isQuote) && !isInside ? SINGLE_COST.sign : SINGLE_COST.symbol;
  }
  if (/\p{Lu}/u.test(character) && /\p{Ll}/u.test(before)) return SINGLE_COST.capitalWithin;
  if (/[a-z]/i.test(character))
    return isLetter(before) || isLetter(after) ? SINGLE_COST.asciiLetter : SINGLE_COST.ascii;
  if (character <= '\x7f') return SINGLE_COST.ascii;
  if (/\p{Script=Latin}/u.test(character)) return before > '\x7f' ? SINGLE_COST.accentedAgain : SINGLE_COST.accented;
  if (!/[^\x00-\x7f]/.test(before + after)) return SINGLE_COST.lonely;
  return /\p{Lu}/u.test(character) ? SINGLE_COST.capital : SINGLE_COST.letter;
}

function everydayOf(charset: string, [first, last]: readonly [number, number]): ReadonlySet<string> {
  const known = everydaySets.get(charset);
  if (known) return known;
  const found = new Set<string>();
  for (let lead = first; lead <= last; lead++) {
    for (let trail = 0x40; trail < 0xff; trail++) {
      // The trails below are of rare ideographs in the charsets that are laid out in squares of 94.
      if (/^(gb|euc)/.test(charset) && trail < 0xa1) continue;
      const character = iconv.decode(Buffer.from([lead, trail]), charset);
      if (/^\p{Script=Han}$/u.test(character)) found.add(character);
    }
  }
  everydaySets.set(charset, found);
  return found;
}
