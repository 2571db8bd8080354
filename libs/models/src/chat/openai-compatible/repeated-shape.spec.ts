import type { ChatPart } from '../chat-model';
import { AnswerReader } from './answer-reader';
import { RepeatedShape } from './repeated-shape';

const event = (content: unknown, more: object = {}, after: object = {}) =>
  JSON.stringify({ id: 'c1', choices: [{ index: 0, delta: { content, ...more }, finish_reason: null }], ...after });

const learned = (data: string) => {
  const shape = new RepeatedShape();
  shape.learn(data, (JSON.parse(data) as { choices: [object] }).choices[0]);
  return shape;
};

describe('RepeatedShape', () => {
  it('reads the words of an event like the one before it', () => {
    const shape = learned(event('Hola'));
    for (const words of [' mundo', 'año 2024, 5 €', '', '{}', '\u{1F600}']) {
      expect(shape.wordsOf(event(words))).toBe(words);
    }
  });

  it('leaves to the parser what is not certain: quotes, escapes, another shape', () => {
    for (const other of [
      event('a "quote"'),
      event('a\nline'),
      event('back\\slash'),
      event('words', { reasoning: 'hm' }),
      event('words', {}, { usage: { prompt_tokens: 1 } }),
      event('words').replace('null', '"stop"'),
      event('","role":"tool'),
      event(['words']),
      '{}',
      '',
    ]) {
      expect(learned(event('Hola')).wordsOf(other)).toBeUndefined();
    }
  });

  it('learns from nothing but plain words whose place is certain', () => {
    for (const data of [
      event(''),
      event(['Hola']),
      event('Hola', { reasoning_content: 'hm' }),
      event('Hola', { tool_calls: [{}] }),
      event('Hola').replace('null', '"stop"'),
      event('Hola', {}, { other: { content: 'Hola' } }),
      event('año').replace('ñ', '\\u00f1'),
    ]) {
      expect(learned(data).wordsOf(data)).toBeUndefined();
    }
  });

  it('gives up on a server whose events never repeat', () => {
    const shape = new RepeatedShape();
    const choice = { delta: { content: 'x' }, finish_reason: null };
    for (let number = 0; number < 20; number++) {
      const data = event('x', {}, { padding: String(number) });
      shape.wordsOf(data);
      shape.learn(data, choice);
    }
    const last = event('x', {}, { padding: 'the same' });
    shape.learn(last, choice);
    expect(shape.wordsOf(last)).toBeUndefined();
  });
});

it('an answer reads the same with its events in one shape or in many', () => {
  const words = ['Hola', ', ', 'una "cita"', ' y\nuna línea', ' \u{1F600}', '', ' fin'];
  const read = (events: string[]) => {
    const said: ChatPart[] = [];
    const reader = new AnswerReader((part) => said.push(part), {
      tools: [],
      usedIds: [],
      reportedError: () => new Error('none') as never,
    });
    for (const data of events) reader.read(data);
    reader.read('[DONE]');
    return said;
  };
  const alike = read(words.map((said) => event(said)));
  const different = read(words.map((said, number) => event(said, {}, { created: number })));
  expect(alike).toEqual(different);
  expect(alike.map((part) => (part.type === 'text' ? part.text : '')).join('')).toBe(words.join(''));
});
