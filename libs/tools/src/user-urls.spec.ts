import { runInNewContext } from 'node:vm';
import { userUrls } from './user-urls';

const look = (text: string, url: string) => userUrls([{ role: 'user', content: text }]).look(new URL(url));

describe('addresses of the user', () => {
  it.each([
    ['after letters that are not of ASCII', '请看https://lake.example/a 谢谢', 'https://lake.example/a'],
    [
      'without a scheme, with such letters in its name',
      'Mira año.example/nivel, por favor',
      'http://año.example/nivel',
    ],
    ['without a scheme, in brackets', '(lake.example/a)', 'https://lake.example/a'],
  ])('are found %s', (_, text, url) => expect(look(text, url)).toBe('named'));

  it('are not found in the middle of a word or of an e-mail address', () => {
    expect(look('Escribe a ñandú@lake.example', 'https://lake.example/')).toBe('unnamed');
    expect(look('x/lake.example', 'https://lake.example/')).toBe('unnamed');
  });

  it.each([
    ['one word without an end', 'é'],
    ['names that never end in a country', 'éé.ñ1.'],
    ['the longest labels there are', `${'é'.repeat(62)}1.`],
    ['text without spaces', '我们今天去湖边看水位'],
  ])('are found behind two million letters of %s, which are walked once', (_, part) => {
    const text = `${part.repeat(Math.ceil(1_900_000 / part.length))} https://lake.example/a`;
    const find = () => look(text, 'https://lake.example/a');
    // Not to measure: it took up to twenty seconds, in which nobody else was served.
    expect(runInNewContext('find()', { find }, { timeout: 4000 })).toBe('named');
  });
});
