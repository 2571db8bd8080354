import { ThinkTags } from './think-tags';

/** What is told of a text, in one string: thinking in braces. */
function told(pieces: readonly string[], { isOpen = false, isAll = true } = {}): string {
  const parts: { kind: 'say' | 'think'; text: string }[] = [];
  const add = (kind: 'say' | 'think') => (text: string) => {
    const last = parts.at(-1);
    if (last?.kind === kind) last.text += text;
    else parts.push({ kind, text });
  };
  const tags = new ThinkTags({ say: add('say'), think: add('think'), isOpen });
  for (const piece of pieces) tags.take(piece);
  tags.end(isAll);
  return parts.map(({ kind, text }) => (kind === 'say' ? text : `{${text}}`)).join('');
}

/** Whole, character by character, and in all cuts into two. */
function everyWay(text: string, options?: Parameters<typeof told>[1]): string {
  const whole = told([text], options);
  expect(told([...text], options)).toBe(whole);
  for (let at = 1; at < text.length; at += 1) expect(told([text.slice(0, at), text.slice(at)], options)).toBe(whole);
  return whole;
}

describe('thinking in the text of an answer', () => {
  it.each([
    ['<think>\nVeamos.\n</think>\n\nSon 27.', '{Veamos.}Son 27.'],
    ['\n <think>a</think>b', '{a}b'],
    ['[THINK]a[/THINK]b', '{a}b'],
    ['<seed:think>a</seed:think>b', '{a}b'],
    ['◁think▷a◁/think▷b', '{a}b'],
    ['<think></think>\n\nSon 27.', 'Son 27.'],
    ['<think>a</think>\n<think>b</think>\nc', '{ab}c'],
    ['<think>if a < b </thin then</think>ok', '{if a < b </thin then}ok'],
    ['<think>it ends with `</think>`, so</think>ok', '{it ends with `</think>`, so}ok'],
    ['<think>a [/THINK] b</think>c', '{a [/THINK] b}c'],
  ])('is told apart: %j', (text, expected) => {
    expect(everyWay(text)).toBe(expected);
  });

  it.each([
    'Use `<think>` and `</think>`.',
    '`<think>` is a tag.',
    '```xml\n<think>a</think>\n```',
    'First.\n<think>a</think>',
    '<thinking>a</thinking>b',
    '<thin',
    '  \n',
    ' Sí',
    '</think> alone',
    '<think',
  ])('is nothing but text elsewhere: %j', (text) => {
    expect(everyWay(text)).toBe(text);
  });

  it('without an end is told as text too, where nothing else came', () => {
    expect(everyWay('<think>Son 27.')).toBe('{Son 27.}Son 27.');
    expect(everyWay('<think>Son 27. </th', { isAll: false })).toBe('{Son 27. </th}');
  });

  it.each([
    ['Veamos.\n</think>\nSon 27.', '{Veamos.}Son 27.'],
    ['<think>\nVeamos.</think>Son 27.', '{Veamos.}Son 27.'],
    ['Son 27.', '{Son 27.}Son 27.'],
  ])('may begin before the answer does: %j', (text, expected) => {
    expect(everyWay(text, { isOpen: true })).toBe(expected);
  });
});
