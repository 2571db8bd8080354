import { messagesRequestSchema, type StreamEvent } from '@app/contract';
import { ChatModel, type ChatModelInfo, type ChatPart, type ChatRequest, type TakeAtOnce } from '@app/models';
import { Toolkit, type SchemaCheck } from '@app/tools';
import { CheckedEvents, type EventSink } from './checked-events';
import { MessagesService } from './messages.service';
import { StreamRuleError } from './stream-rules';

const at = { index: 0, block_id: 'block_1' };
const START = { type: 'message_start', message: { id: 'msg_1', content: [] } } as unknown as StreamEvent;
const OPENED: StreamEvent = {
  type: 'content_block_start',
  ...at,
  content_block: { type: 'text', text: '', start_timestamp: '' },
};
const delta = (text: string): StreamEvent => ({
  type: 'content_block_delta',
  ...at,
  delta: { type: 'text_delta', text },
});

class ListSink implements EventSink {
  readonly events: StreamEvent[] = [];
  blocked = false;
  sendNow(event: StreamEvent) {
    this.events.push(event);
  }
}

async function* begun(...more: StreamEvent[]): AsyncGenerator<StreamEvent> {
  yield* [START, OPENED, ...more];
}

describe('events past the iteration', () => {
  async function opened() {
    const answer = new CheckedEvents(() => Promise.resolve(begun(delta('a'))));
    await answer.next();
    await answer.next();
    return answer;
  }

  it('go into the sink as they would come out of the iteration', async () => {
    const sink = new ListSink();
    const answer = await opened();
    answer.directTo(sink);
    expect(answer.tell(delta('b'))).toBe(true);
    expect(sink.events).toEqual([delta('b')]);
  });

  it('are refused without a sink, by one that takes no more, and after the end', async () => {
    const sink = new ListSink();
    const answer = await opened();
    expect(answer.tell(delta('b'))).toBe(false);
    answer.directTo(sink);
    sink.blocked = true;
    expect(answer.tell(delta('b'))).toBe(false);
    sink.blocked = false;
    await answer.return();
    expect(answer.tell(delta('b'))).toBe(false);
    expect(sink.events).toEqual([]);
  });

  it('are held against the rules of the stream before they leave', async () => {
    const sink = new ListSink();
    const answer = await opened();
    answer.directTo(sink);
    expect(() => answer.tell({ ...delta('b'), index: 1 } as StreamEvent)).toThrow(StreamRuleError);
    expect(sink.events).toEqual([]);
  });
});

/** Says every word at once where it can, and tells how many went that way. */
class HastyModel extends ChatModel {
  readonly info: ChatModelInfo = {
    id: 'hasty',
    displayName: 'hasty',
    contextTokens: 32_768,
    maxOutputTokens: 4096,
    images: false,
    thinking: false,
    structuredOutput: true,
  };
  atOnce = 0;

  constructor(private readonly words: readonly string[]) {
    super();
  }

  override async *stream(_: ChatRequest, __: AbortSignal, takeAtOnce?: TakeAtOnce): AsyncGenerator<ChatPart> {
    yield { type: 'started' };
    for (const text of this.words) {
      if (takeAtOnce?.({ type: 'text', text })) this.atOnce++;
      else yield { type: 'text', text };
    }
    yield { type: 'finish', reason: 'stop', usage: { inputTokens: 1, outputTokens: 1 } };
  }
}

describe('an answer that is sent as it comes', () => {
  const schemas = { check: () => Promise.resolve({ problems: [] }) } as unknown as SchemaCheck;
  const logger = { warn: () => undefined, error: () => undefined };
  const toolkit = new Toolkit([], logger, schemas, { record: () => undefined });

  async function said(words: readonly string[], more: object = {}) {
    const model = new HastyModel(words);
    const service = new MessagesService(
      { resolve: () => model } as never,
      toolkit,
      schemas,
      {} as never,
      {} as never,
      {} as never,
    );
    const request = messagesRequestSchema.parse({ messages: [{ role: 'user', content: 'Go.' }], ...more });
    const { signal } = new AbortController();
    const caller = { organisationId: 'o', organisation: 'default', scopes: ['read'] as const };
    const answer = service.answer(caller, request, { dialect: 'native', signal });
    const sink = new ListSink();
    answer.directTo(sink);
    for await (const event of answer) sink.sendNow(event);
    const text = sink.events
      .map((event) =>
        event.type === 'content_block_delta' && event.delta.type === 'text_delta' ? event.delta.text : '',
      )
      .join('');
    return { text, atOnce: model.atOnce, types: sink.events.map(({ type }) => type) };
  }

  it('has all words but the first go past the iteration, in their place', async () => {
    const { text, atOnce, types } = await said(['one ', 'two ', 'three']);
    expect(text).toBe('one two three');
    expect(atOnce).toBe(2);
    expect(types).toEqual([
      'message_start',
      'content_block_start',
      ...Array<string>(3).fill('content_block_delta'),
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
  });

  it('ends at a stop sequence all the same', async () => {
    const stopped = await said(['one ', 'two ', 'th', 'ree', 'four'], { stop_sequences: ['three'] });
    expect(stopped).toMatchObject({ text: 'one two ', atOnce: 2 });
  });

  it('has none go past what holds the words back until they are whole', async () => {
    const format = { type: 'json_schema', schema: { type: 'object' } };
    expect(await said(['{', '}'], { output_config: { format } })).toMatchObject({ text: '{}', atOnce: 0 });
  });

  it('has words go past the iteration with their citations, however they are cut', async () => {
    const cited = await said(['one ', '<cita', 'tion> [GO', 'NG] two'], { system: { citations: { enabled: true } } });
    expect(cited).toMatchObject({ text: 'one &lt;citation> [GONG] two', atOnce: 3 });
  });
});
