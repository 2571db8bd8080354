import type { Chunk, Message, StreamEvent } from '@app/contract';
import { Answer } from './answer';
import { sourceLines } from './question';

const chunk = (id: string, metadata: Partial<Chunk['metadata']>, document: Record<string, unknown>): Chunk => ({
  object: 'context.chunk',
  id,
  score: 0.5,
  document: { object: 'ingest.document', artifact: 'handbook', doc_metadata: document },
  text: '27 days',
  content_type: 'text/plain',
  previous_texts: [],
  next_texts: [],
  metadata: { shorter_id: 'GONG', abs_idx: 0, rel_idx: 0, ...metadata },
});

const tag = (index: number, source: string) =>
  `<citation id='GONG' index='${index}' artifact_id='handbook' source_id='${source}'></citation>`;

const MESSAGE: Message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'builtin',
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
  content: [
    { type: 'tool_use', id: 'tool_1', name: 'semantic_search', input: { query: 'leave' } },
    {
      type: 'tool_result',
      tool_use_id: 'tool_1',
      is_error: false,
      content: [
        {
          type: 'source',
          sources: [
            chunk('a', { page: 2, title: 'Leave › Annual leave' }, { file_name: 'h.pdf', path: 'people/h.pdf' }),
            chunk('b', { title: 'FAQ' }, { file_name: 'faq.txt' }),
          ],
        },
        { type: 'text', text: '…' },
      ],
    },
    { type: 'text', text: `27 days.${tag(0, 'a')} Ask.${tag(1, 'b')}${tag(2, 'unknown')}` },
  ],
};

/** The same message, as a stream that cuts its text into pieces of five characters. */
function* streamed({ content, id, model, usage }: Message): Generator<StreamEvent> {
  const { type, role } = MESSAGE;
  const message = { id, type, role, content: [], model, stop_reason: null, stop_sequence: null, usage };
  yield { type: 'message_start', message };
  for (const [index, block] of content.entries()) {
    const at = { index, block_id: `block_${index}` };
    const begun = block.type === 'text' ? { ...block, text: '' } : block;
    yield { type: 'content_block_start', ...at, content_block: begun };
    for (const [piece] of block.type === 'text' ? block.text.matchAll(/.{1,5}/gs) : []) {
      yield { type: 'content_block_delta', ...at, delta: { type: 'text_delta', text: piece } };
    }
    yield { type: 'content_block_stop', ...at, stop_timestamp: '' };
  }
  yield { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage };
  yield { type: 'message_stop' };
}

describe('An answer, as a person reads it', () => {
  const whole = Answer.of(MESSAGE);

  it('has numbers where the text is cited', () => {
    expect(whole.text).toBe('27 days.[1] Ask.[2][3]');
    expect(whole.calls).toEqual(['semantic_search']);
    expect(whole.stopReason).toBe('end_turn');
  });

  it('names path, page and headings of each source, and at least the artifact', () => {
    expect(sourceLines(whole)).toEqual([
      '',
      'Sources',
      '  [1] people/h.pdf, page 2, Leave › Annual leave',
      '  [2] faq.txt, FAQ',
      '  [3] handbook',
    ]);
  });

  it('is the same when it is streamed, and what was shown on the way adds up to it', () => {
    const answer = new Answer();
    const shown = [...streamed(MESSAGE)].map((event) => answer.read(event)).join('');
    expect(shown).toBe(whole.text);
    expect(answer.text).toBe(whole.text);
    expect(answer.sources).toEqual(whole.sources);
    expect(answer.stopReason).toBe('end_turn');
  });

  it('cannot steer the terminal that shows it', () => {
    const content: Message['content'] = [{ type: 'text', text: 'a\x1b[2Jb\x07\x9b1mc\td\ne' }];
    expect(Answer.of({ ...MESSAGE, content }).text).toBe('a[2Jb1mc\td\ne');
  });

  it('names no sources where it cites nothing', () => {
    expect(sourceLines(Answer.of({ ...MESSAGE, content: [{ type: 'text', text: 'No.' }] }))).toEqual([]);
  });
});
