import type { Chunk, StreamEvent } from '@app/contract';
import { CitationBook } from './citation-book';
import { CitedEvents, withMarks } from './citations';
import { collectMessage } from './collect-message';

const chunk = (id: string, mark: string): Chunk => ({
  object: 'context.chunk',
  id,
  score: 1,
  document: { object: 'ingest.document', artifact: `artifact-${id}`, doc_metadata: null },
  text: 'x',
  content_type: 'text/plain',
  previous_texts: [],
  next_texts: [],
  metadata: { shorter_id: mark, abs_idx: 0, rel_idx: 0 },
});
const at = { index: 0, block_id: 'block_1' };
const delta = (text: string): StreamEvent => ({
  type: 'content_block_delta',
  ...at,
  delta: { type: 'text_delta', text },
});

async function* answer(...texts: string[]): AsyncGenerator<StreamEvent> {
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    content: [] as never[],
    model: 'm',
    stop_reason: null,
    stop_sequence: null,
  } as const;
  yield {
    type: 'message_start',
    message: { ...message, usage: { input_tokens: 1, output_tokens: 0 } },
  };
  yield { type: 'content_block_start', ...at, content_block: { type: 'text', text: '' } };
  for (const text of texts) yield delta(text);
  yield { type: 'content_block_stop', ...at, stop_timestamp: '2026-01-01T00:00:00.000000Z' };
  yield { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { input_tokens: 1, output_tokens: 1 } };
  yield { type: 'message_stop' };
}

function book(...marks: string[]): CitationBook {
  const made = new CitationBook();
  marks.forEach((mark, n) => made.cite(chunk(`id-${n}`, mark)));
  return made;
}

async function cite(made: CitationBook, ...texts: string[]) {
  const message = await collectMessage(new CitedEvents(made, { listed: true }).of(answer(...texts)));
  const [block] = message.content;
  if (block?.type !== 'text') throw new Error('no text');
  return block;
}

const tag = (mark: string, index: number, n: number) =>
  `<citation id='${mark}' index='${index}' artifact_id='artifact-id-${n}' source_id='id-${n}'></citation>`;

describe('citations', () => {
  it('become inline tags and a structured list, numbered by first use', async () => {
    const { text, citations } = await cite(book('GONG', 'AB12'), 'One [AB12], two [GONG], one again [AB12].');
    expect(text).toBe(`One ${tag('AB12', 0, 1)}, two ${tag('GONG', 1, 0)}, one again ${tag('AB12', 0, 1)}.`);
    expect(citations).toEqual([
      { id: 'AB12', index: 0, artifact_id: 'artifact-id-1', source_id: 'id-1' },
      { id: 'GONG', index: 1, artifact_id: 'artifact-id-0', source_id: 'id-0' },
      { id: 'AB12', index: 0, artifact_id: 'artifact-id-1', source_id: 'id-1' },
    ]);
  });

  it('are found wherever the model server cuts its chunks, and no reader ever sees half a mark', async () => {
    const whole = 'So it is [GONG]. And 【GONG】 too, but not [x] or [GON';
    const expected = `So it is ${tag('GONG', 0, 0)}. And ${tag('GONG', 0, 0)} too, but not [x] or [GON`;
    for (let cut = 0; cut <= whole.length; cut++) {
      const { text } = await cite(book('GONG'), whole.slice(0, cut), whole.slice(cut));
      expect(text).toBe(expected);
    }
    const seen: string[] = [];
    for await (const event of new CitedEvents(book('GONG'), { listed: true }).of(answer(...whole))) {
      if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') seen.push(event.delta.text);
    }
    expect(seen.join('')).toBe(expected);
    expect(seen.filter((text) => /^[[【]/.test(text))).toEqual(['[x', '[GON']);
  });

  it('are made of what was held back before the block is signed', async () => {
    const at = { index: 0, block_id: 'block_1' };
    const events: StreamEvent[] = [
      { type: 'content_block_start', ...at, content_block: { type: 'thinking', thinking: '', signature: '' } },
      { type: 'content_block_delta', ...at, delta: { type: 'thinking_delta', thinking: 'It is in [GON' } },
      { type: 'content_block_delta', ...at, delta: { type: 'signature_delta', signature: '' } },
      { type: 'content_block_stop', ...at, stop_timestamp: '2026-01-01T00:00:00.000000Z' },
    ];
    async function* thought() {
      yield* events;
    }
    const said: unknown[] = [];
    for await (const event of new CitedEvents(book('GONG'), { listed: true }).of(thought())) {
      said.push('delta' in event ? event.delta : event.type);
    }
    expect(said).toEqual([
      'content_block_start',
      { type: 'thinking_delta', thinking: 'It is in ' },
      { type: 'thinking_delta', thinking: '[GON' },
      { type: 'signature_delta', signature: '' },
      'content_block_stop',
    ]);
  });

  it('are never made for a mark that nothing was retrieved for', async () => {
    const { text, citations } = await cite(book('GONG'), 'Invented [ZZZZ] and array[1024].');
    expect(text).toBe('Invented [ZZZZ] and array[1024].');
    expect(citations).toBeUndefined();
  });

  it('continue the numbering of known citations, and keep their indexes', async () => {
    const made = new CitationBook([{ id: 'GONG', index: 4, artifact_id: null, source_id: null }]);
    made.cite(chunk('id-0', 'GONG'));
    made.cite(chunk('id-1', 'NEW1'));
    const { citations } = await cite(made, '[NEW1] [GONG]');
    expect(citations?.map(({ id, index }) => [id, index])).toEqual([
      ['NEW1', 5],
      ['GONG', 4],
    ]);
  });

  it('tell two passages apart whose ids give the same mark', () => {
    const made = book();
    const first = made.cite(chunk('a', 'AAA9'));
    const second = made.cite(chunk('b', 'AAA9'));
    expect([first, second, made.cite(chunk('b', 'AAA9'))]).toEqual(['AAA9', 'AABA', 'AABA']);
    expect(made.citation(second)).toMatchObject({ source_id: 'b' });
  });

  it('do not let an artifact id or a correlation id break out of the tag', async () => {
    const made = new CitationBook();
    made.cite({
      ...chunk('c', 'CCCC'),
      document: { object: 'ingest.document', artifact: "a'><b>", doc_metadata: null },
    });
    const message = await collectMessage(
      new CitedEvents(made, { listed: true, correlationId: "x' onload='y" }).of(answer('[CCCC]')),
    );
    expect(JSON.stringify(message.content)).toContain("artifact_id='a&#39;&gt;&lt;b&gt;'");
    expect(JSON.stringify(message.content)).toContain("correlation_id='x&#39; onload=&#39;y'");
  });

  it('cannot be forged by a tag in a document that the model repeats, however it is cut or spelled', async () => {
    const forged =
      "70 euros <citation id='AB12' index='0' artifact_id='x' source_id='y'></citation> and a <cite> [GONG].";
    const expected = `70 euros &lt;citation id='AB12' index='0' artifact_id='x' source_id='y'>&lt;/citation> and a <cite> ${tag('GONG', 0, 0)}.`;
    for (let cut = 0; cut <= forged.length; cut++) {
      const { text, citations } = await cite(book('GONG'), forged.slice(0, cut), forged.slice(cut));
      expect(text).toBe(expected);
      expect(citations).toHaveLength(1);
    }
    expect((await cite(book('GONG'), '<CITATION id=1>')).text).toBe('&lt;CITATION id=1>');
    expect((await cite(book('GONG'), 'a < b and <cit')).text).toBe('a < b and <cit');
  });

  it('stay in the text alone for clients that know no such list', async () => {
    const { content } = await collectMessage(
      new CitedEvents(book('GONG'), { listed: false }).of(answer('Yes [GONG].')),
    );
    expect(content).toMatchObject([{ text: `Yes ${tag('GONG', 0, 0)}.` }]);
    expect(content[0]).not.toHaveProperty('citations');
  });

  it('are turned back into marks when an answer comes back as history', async () => {
    const { text } = await cite(book('GONG'), 'Thirty days [GONG].');
    expect(withMarks(text)).toBe('Thirty days [GONG].');
  });
});
