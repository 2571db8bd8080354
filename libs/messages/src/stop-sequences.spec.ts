import type { ChatPart } from '@app/models';
import { StopWatch } from './stop-sequences';

const finish: ChatPart = { type: 'finish', reason: 'stop' };

async function read(texts: readonly string[], sequences: readonly string[]) {
  let closed = false;
  async function* parts(): AsyncGenerator<ChatPart> {
    try {
      for (const text of texts) yield { type: 'text', text };
      yield finish;
    } finally {
      closed = true;
    }
  }
  let said = '';
  let stop: string | undefined;
  for await (const part of new StopWatch(sequences).watch(parts())) {
    if (part.type === 'text') said += part.text;
    if (part.type === 'finish') stop = part.stopSequence;
  }
  return { said, stop, closed };
}

describe('a stop sequence', () => {
  it('ends the text before it, however the text is cut into chunks', async () => {
    const text = 'One, two. E E EN END of it. STOP';
    for (const size of [1, 2, 3, 5, 50]) {
      const chunks = text.match(new RegExp(`.{1,${size}}`, 'g'))!;
      expect(await read(chunks, ['STOP', 'END'])).toEqual({ said: 'One, two. E E EN ', stop: 'END', closed: true });
    }
  });

  it('is the one that is complete first, whole or a character at a time', async () => {
    for (const chunks of [['xabcde'], [...'xabcde']]) {
      expect(await read(chunks, ['abcde', 'bcd'])).toMatchObject({ said: 'xa', stop: 'bcd' });
      expect(await read(chunks, ['d', 'bcd'])).toMatchObject({ said: 'xa', stop: 'bcd' });
    }
  });

  it('that is only begun is text like any other', async () => {
    expect(await read(['It is EN', 'OUGH', ' E'], ['END'])).toEqual({
      said: 'It is ENOUGH E',
      stop: undefined,
      closed: true,
    });
  });

  it('goes on behind thinking only where nobody sees that; otherwise its beginning stays before it', async () => {
    const spoken: ChatPart[] = [
      { type: 'text', text: 'a EN' },
      { type: 'thinking', thinking: 'Hm' },
      { type: 'text', text: 'D b' },
      finish,
    ];
    async function* parts() {
      yield* spoken;
    }
    const heard = async (thinkingShows: boolean) => {
      const said: string[] = [];
      for await (const part of new StopWatch(['END'], thinkingShows).watch(parts())) {
        if (part.type === 'text') said.push(part.text);
        else
          said.push(
            part.type === 'thinking' ? part.thinking : String((part as { stopSequence?: string }).stopSequence),
          );
      }
      return said;
    };
    expect(await heard(true)).toEqual(['a ', 'EN', 'Hm', 'D b', 'undefined']);
    expect(await heard(false)).toEqual(['a ', 'Hm', 'END']);

    const pastIteration = (thinkingShows: boolean) => {
      const stopWatch = new StopWatch(['END'], thinkingShows);
      return spoken.slice(0, 2).map((part) => stopWatch.hearAtOnce(part, () => true));
    };
    expect(pastIteration(true)).toEqual([true, false]);
    expect(pastIteration(false)).toEqual([true, true]);
  });

  it('ends parts in the same place that come past the iteration, as far as they may', async () => {
    const text = 'One, two. E E EN END of it. STOP';
    for (const size of [1, 2, 3, 5]) {
      const stopWatch = new StopWatch(['STOP', 'END']);
      const heard: ChatPart[] = [];
      const chunks = text
        .match(new RegExp(`.{1,${size}}`, 'g'))!
        .map((words): ChatPart => ({ type: 'text', text: words }));
      while (stopWatch.hearAtOnce(chunks[0]!, (part) => heard.push(part) > 0)) chunks.shift();
      async function* parts(): AsyncGenerator<ChatPart> {
        yield* chunks;
        yield finish;
      }
      const atOnce = heard.length;
      for await (const part of stopWatch.watch(parts())) heard.push(part);
      expect(atOnce).toBeGreaterThan(2);
      expect(heard.map((part) => (part.type === 'text' ? part.text : '')).join('')).toBe('One, two. E E EN ');
      expect(heard.at(-1)).toEqual({ type: 'finish', reason: 'stop', stopSequence: 'END' });
    }
  });

  it('loses no words that nobody takes past the iteration', async () => {
    const stopWatch = new StopWatch(['END']);
    const taken = (part: ChatPart) => stopWatch.hearAtOnce(part, () => true);
    expect(taken({ type: 'text', text: 'An E' })).toBe(true);
    expect(stopWatch.hearAtOnce({ type: 'text', text: 'NOUGH' }, () => false)).toBe(false);
    const seen: ChatPart[] = [];
    async function* parts(): AsyncGenerator<ChatPart> {
      yield { type: 'text', text: 'NOUGH' };
      yield finish;
    }
    for await (const part of stopWatch.watch(parts())) seen.push(part);
    expect(seen).toEqual([{ type: 'text', text: 'ENOUGH' }, finish]);
  });

  it('does not hold back what cannot be one', async () => {
    const seen: ChatPart[] = [];
    async function* parts(): AsyncGenerator<ChatPart> {
      yield { type: 'text', text: 'aab' };
      expect(seen).toEqual([{ type: 'text', text: 'aab' }]);
      yield { type: 'text', text: 'xaa' };
      expect(seen.at(-1)).toEqual({ type: 'text', text: 'x' });
      yield finish;
    }
    for await (const part of new StopWatch(['aac']).watch(parts())) seen.push(part);
    expect(seen.slice(-2)).toEqual([{ type: 'text', text: 'aa' }, finish]);
  });
});
