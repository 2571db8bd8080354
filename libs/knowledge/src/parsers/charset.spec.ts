import iconv from 'iconv-lite';
import { decodeText, findCharset, NotTextError } from './charset';

const SPANISH =
  'El contrato se prorroga según lo previsto. ¿Cuánto cuesta la pensión? El niño comió piñas en Ávila; además, la ' +
  'señora García explicó el régimen económico de la región.\n';
const RUSSIAN =
  'Договор вступает в силу с момента подписания. Стороны обязуются соблюдать условия настоящего соглашения, а также ' +
  'сообщать друг другу обо всех изменениях адреса.\n';
const JAPANESE =
  'この契約は署名の日から効力を生じます。当事者は、本契約の条件を守り、住所の変更を互いに通知するものとします。製品の保証期間は二年間です。\n';
const CHINESE =
  '本合同自签字之日起生效。双方应遵守本协议的条款，并相互通知地址的变更。产品的保修期为两年，维修费用由供应商承担。\n';
const TRADITIONAL =
  '本合約自簽字之日起生效。雙方應遵守本協議的條款，並相互通知地址的變更。產品的保固期為兩年，維修費用由供應商承擔。\n';

const encode = (text: string, charset: string, addBOM = false) => iconv.encode(text, charset, { addBOM });

describe('decodeText reads a text in the charset it was written in', () => {
  it.each([
    ['utf-8', SPANISH],
    ['windows-1252', SPANISH + 'Un precio de «50 €», dijo: “sí” — y nada más…\n'],
    ['iso-8859-1', SPANISH],
    ['iso-8859-15', SPANISH + 'La cuota es de 50 € al mes.\n'],
    ['utf-16le', SPANISH],
    ['utf-16be', SPANISH],
    ['utf-16le', RUSSIAN],
    ['utf-16le', CHINESE.repeat(3)],
    ['utf-16be', CHINESE.repeat(3)],
    ['windows-1251', RUSSIAN],
    ['koi8-r', RUSSIAN],
    ['shift_jis', JAPANESE],
    ['gbk', CHINESE],
    ['big5', TRADITIONAL],
  ])('%s without a mark', (charset, text) => {
    expect(decodeText(encode(text.repeat(3), charset))).toBe(text.repeat(3));
  });

  it.each(['utf-8', 'utf-16le', 'utf-16be', 'utf-32le'])(
    '%s with a byte order mark, which is not part of the text',
    (charset) => {
      expect(decodeText(encode(SPANISH, charset, true))).toBe(SPANISH);
    },
  );

  it('in one accented word among much English', () => {
    const text = 'The quick brown fox jumps over the lazy dog. '.repeat(200) + 'Señor Núñez signed it.';
    expect(decodeText(encode(text, 'windows-1252'))).toBe(text);
  });

  it.each(['Año', 'Año nuevo, niño', '¿Qué pasó?', 'Straße und Übung', 'São Paulo não é longe', 'Menú del día 12 €'])(
    'in a text as short as %j',
    (text) => {
      expect(decodeText(encode(text, 'windows-1252'))).toBe(text);
    },
  );

  it('even if the first accent comes after a megabyte of ASCII', () => {
    const text = 'plain words only, line after line\n'.repeat(40_000) + SPANISH.repeat(5);
    expect(decodeText(encode(text, 'windows-1252'))).toBe(text);
  });

  it('as the file declares it, where the bytes allow that', () => {
    expect(decodeText(encode('Zażółć gęślą jaźń', 'windows-1250'), 'windows-1250')).toBe('Zażółć gęślą jaźń');
  });

  it('and not as the file declares it, where they do not', () => {
    expect(decodeText(encode(SPANISH, 'utf-8'), 'iso-8859-1')).toBe(SPANISH);
  });

  it('that is UTF-8 cut in the middle of a letter', () => {
    const cut = encode(SPANISH + 'ñ', 'utf-8').subarray(0, -1);
    expect(decodeText(cut)).toBe(SPANISH + '\ufffd');
  });
});

describe('decodeText reads a table of few words in the charset it was written in', () => {
  const table = (words: string[]) =>
    'id,x\n' + Array.from({ length: 500 }, (_, at) => `${at},${words[at % words.length]}\n`).join('');
  const EAST_ASIAN: Record<string, string> = {
    gbk: '北京市海淀区|上海|产品名称|苹果|华北地区|张伟|王芳,女,销售部|有限公司|你好世界|否|李娜|手机A1|第3季度|￥100元|备注：无',
    big5: '臺北市|產品名稱|客戶,數量|蘋果|已完成|有限公司|陳大文|高雄市|女|第3季|電話|備註：無|手機A1',
    shift_jis:
      '東京都|商品名|田中|カタカナ|ひらがな|株式会社|大阪府,済|佐藤|横浜市港北区1-2-3|女|いいえ|ノートPC|ﾀﾅｶ ﾀﾛｳ',
    'euc-jp': '東京都|商品名|田中|株式会社|売上高|りんご|完了',
    'euc-kr': '서울|제품|고객 이름|완료|부산광역시|김철수|사과|아니오|주식회사|박지성|A등급',
  };
  const SINGLE_BYTE: Record<string, string> = {
    'windows-1252':
      'Málaga|España|año|€|12 €|25 °C|Nº 5|1º|± 5|m²|½|Straße|MÜNCHEN|ÑANDÚ|à côté|São Paulo|Øl|Çelik|“sí”|ÉLÈVE|Año,niño',
  };
  const each = (table: Record<string, string>) =>
    Object.entries(table).flatMap(([charset, words]) => words.split('|').map((word) => [charset, word] as const));

  it.each([...each(EAST_ASIAN), ...each(SINGLE_BYTE)])('%s, %s alone', (charset, word) => {
    expect(decodeText(encode(table([word]), charset))).toBe(table([word]));
  });

  it.each(Object.entries({ ...EAST_ASIAN, ...SINGLE_BYTE }))('%s, two and all together', (charset, joined) => {
    const words = joined.split('|');
    const groups = [words, ...words.slice(1).map((word, at) => [words[at]!, word])];
    expect(groups.map((group) => decodeText(encode(table(group), charset)))).toEqual(groups.map(table));
  });

  it.each([
    ['windows-1250', 'Łódź|Wrocław|Gdańsk|Český Krumlov|Győr'],
    ['windows-1251', 'Москва|МОСКВА,ЗАКАЗ|Иванов|да|товар|Название товара|ООО Ромашка|Київ'],
    ['windows-1253', 'Αθήνα|Θεσσαλονίκη|ΑΘΗΝΑ|ναι|όχι'],
    ['windows-1254', 'İstanbul|Şişli|İzmir|müşteri|ŞÜKRÜ'],
  ])('%s is not taken for an East Asian one', (charset, joined) => {
    for (const word of joined.split('|'))
      expect(decodeText(encode(table([word]), charset))).not.toMatch(/[\u3000-\u9fff\uac00-\ud7af\uff61-\uff9f]/);
  });

  it('in a larger file, of which only parts are looked at', () => {
    const text = table(['产品名称', '苹果']).repeat(60);
    expect(decodeText(encode(text, 'gbk'))).toBe(text);
  });
});

describe('findCharset tells a guess from what is known', () => {
  it.each([
    ['gbk', '产品名称', undefined, { charset: 'gb18030', isGuess: true }],
    ['gbk', '产品名称', 'gb2312', { charset: 'gb18030', isGuess: false }],
    ['big5', '臺北市', 'big5', { charset: 'big5', isGuess: false }],
    ['windows-1252', 'España', undefined, { charset: 'windows-1252', isGuess: true }],
    ['windows-1252', 'España', 'iso-8859-1', { charset: 'windows-1252', isGuess: false }],
    ['utf-8', 'España', undefined, { charset: 'utf-8', isGuess: false }],
  ])('%s, %s, declared as %s', (charset, word, declared, found) => {
    expect(findCharset(encode(`id,x\n1,${word}\n`, charset), declared === undefined ? [] : [declared])).toEqual(found);
  });
});

describe('decodeText', () => {
  it('leaves nothing that a database refuses: no NUL, no lone surrogate, no control characters', () => {
    const dirty = Buffer.concat([Buffer.from('a\u0001b\u00adc\u0085d\r\ne\ttab '), Buffer.from([0xed, 0xa0, 0x80])]);
    const text = decodeText(Buffer.concat([dirty, Buffer.from(' ñandú '.repeat(100))]));
    expect(text).toMatch(/^abcd\ne\ttab /);

    expect(text).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f]|\p{Surrogate}/u);
  });

  it.each([
    ['a NUL byte in a few short lines', Buffer.from('a,b\n1,2\n3,\0\n')],
    ['a NUL byte in a text', Buffer.from('plain text with one \0 inside, and more words after it')],
    ['zeros', Buffer.alloc(1000)],
    ['random bytes', Buffer.from(Array.from({ length: 4000 }, (_, at) => (at * 7919 + ((at * at) >> 3)) & 0xff))],
    ['control characters', Buffer.from('\x01\x02\x03\x04abc'.repeat(50))],
  ])('refuses what is no text: %s', (_, bytes) => {
    expect(() => decodeText(bytes)).toThrow(NotTextError);
  });
});
