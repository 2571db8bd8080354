import { analyseQuery, analyseText } from './analyse-text';
import { detectLanguage } from './language';

const meets = (query: string, text: string) => {
  const terms = new Set(analyseText(text));
  return analyseQuery(query).some((term) => terms.has(term));
};

describe('words of a query and of a text', () => {
  it.each([
    ['accents', 'configuracion', 'La configuración del sistema'],
    ['accents the other way', 'configuración', 'la configuracion'],
    ['decomposed accents', 'instalación', 'instalacio\u0301n'],
    ['plurals in Spanish', 'paquetes', 'Cada paquete se firma.'],
    ['inflection in Spanish', 'configurar', 'Las configuraciones se guardan.'],
    ['plural without accent against singular with', 'particiones', 'la partición'],
    ['singular without accent against plural', 'particion', 'las particiones'],
    ['plurals in English', 'policies', 'The policy is strict.'],
    ['inflection in English', 'installing', 'It was installed yesterday.'],
    ['case', 'SYSTEMD', 'systemd starts it'],
    ['full-width letters', 'ＡＰＴ', 'use apt'],
    ['ligatures', 'file', 'a ﬁle'],
    ['soft hyphens', 'package', 'pack\u00adage'],
    ['zero-width characters', 'package', 'pack\u200bage'],
    ['a part of a command', 'apt', 'run apt-get update'],
    ['a path', '/etc/apt/sources.list', 'Edit /etc/apt/sources.list first.'],
    ['the end of a path', 'sources.list', 'Edit /etc/apt/sources.list first.'],
    ['a word of a path', 'sources', 'Edit /etc/apt/sources.list first.'],
    ['a part of a name in snake case', 'name', 'the file_name field'],
    ['a part of a name in camel case', 'size', 'set maxPageSize to 10'],
    ['a whole name in another case', 'maxpagesize', 'set maxPageSize to 10'],
    ['an acronym before a word', 'http', 'class HTTPServer'],
    ['a version', '12.5', 'Debian 12.5 was released'],
    ['a language with signs', 'c++', 'written in C++'],
    ['an apostrophe', "user's", 'the users’ home'],
    ['a script without spaces', '検索', '全文検索の方法'],
  ])('meet despite %s', (_, query, text) => expect(meets(query, text)).toBe(true));

  it.each([
    ['other words', 'kernel', 'The package is signed.'],
    ['words of grammar', 'what is the', 'This is what the text is.'],
    ['words of grammar in Spanish', '¿Qué es el?', 'Esto es lo que el texto es.'],
  ])('do not meet in %s', (_, query, text) => expect(meets(query, text)).toBe(false));

  it('tell a command from another with a common part by the whole of it', () => {
    const shared = (text: string) => {
      const terms = new Set(analyseText(text));
      return analyseQuery('apt-get').filter((term) => terms.has(term)).length;
    };
    expect(shared('apt-get')).toBeGreaterThan(shared('apt-cache'));
  });

  it('meet the more where a text comes back to the word', () => {
    const shared = (text: string) => {
      const terms = new Set(analyseText(text));
      return analyseQuery('package').filter((term) => terms.has(term)).length;
    };
    expect(shared('A package of packages.')).toBeGreaterThan(shared('A package of other things.'));
  });

  it('hold each term once, none with white space, none endless', () => {
    const terms = analyseText(`a-b a-b word word ${'x'.repeat(500)} ${'y/'.repeat(300)}z`);
    expect(new Set(terms).size).toBe(terms.length);
    expect(terms.every((term) => term.length <= 70 && !/\s/.test(term))).toBe(true);
    expect(analyseQuery(Array.from({ length: 500 }, (_, at) => `word${at}`).join(' ')).length).toBeLessThanOrEqual(200);
  });
});

describe('detectLanguage', () => {
  it.each([
    ['How do I add a new user to the system?', 'en'],
    ['¿Cómo añado un usuario nuevo al sistema?', 'es'],
    ['Cómo se instala un paquete', 'es'],
    ['dónde está el archivo de configuración de apt', 'es'],
    ['restore the database from backup', 'en'],
    ['apt-get update', undefined],
    ['', undefined],
  ])('%s', (text, language) => expect(detectLanguage(text)).toBe(language));
});
