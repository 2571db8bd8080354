import { SpokenWords } from './spoken-words';

it.each([0, 1, 63, 64, 65, 1000])('puts %i pieces together in their order, and begins anew', (count) => {
  const words = new SpokenWords();
  const pieces = Array.from({ length: count }, (_, index) => `${index} `);
  for (const piece of pieces) words.add(piece);
  expect(words.take()).toBe(pieces.join(''));
  words.add('next');
  expect(words.take()).toBe('next');
});
