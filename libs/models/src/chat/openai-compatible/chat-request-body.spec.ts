import type { ChatRequest } from '../chat-model';
import type { ConversationMessage } from '../conversation';
import { chatRequestBody } from './chat-request-body';

const base: ChatRequest = {
  system: '',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
  tools: [],
  toolForcing: { type: 'auto' },
  parallelToolCalls: true,
  citations: false,
};
const add = {
  name: 'add',
  description: 'Adds.',
  inputSchema: { type: 'object', properties: { a: { type: 'number' } } },
};
const bodyOf = (more: Partial<ChatRequest> = {}) => JSON.parse(chatRequestBody({ ...base, ...more }, 'm'));
const messagesOf = (...messages: ConversationMessage[]) => bodyOf({ messages }).messages;

describe('chatRequestBody', () => {
  it('asks for a stream with its usage, and for nothing that the caller left to the server', () => {
    expect(bodyOf()).toEqual({
      model: 'm',
      messages: [{ role: 'user', content: 'Hi' }],
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it('passes on what the caller gave, zero included', () => {
    expect(
      bodyOf({
        system: 'Be brief.',
        maxTokens: 5,
        temperature: 0,
        topP: 0.5,
        topK: 0,
        minP: 0.1,
        repetitionPenalty: 1.1,
        presencePenalty: 0,
        frequencyPenalty: 0.2,
        seed: 0,
      }),
    ).toMatchObject({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
      ],
      max_tokens: 5,
      temperature: 0,
      top_p: 0.5,
      top_k: 0,
      min_p: 0.1,
      repetition_penalty: 1.1,
      presence_penalty: 0,
      frequency_penalty: 0.2,
      seed: 0,
    });
  });

  it.each([
    ['low', 'low'],
    ['medium', 'medium'],
    ['high', 'high'],
    ['xhigh', 'high'],
    ['max', 'high'],
  ] as const)('asks for effort %s as %s', (effort, asked) => {
    expect(bodyOf({ effort }).reasoning_effort).toBe(asked);
  });

  it('asks for a JSON document by its schema', () => {
    const jsonSchema = { type: 'object' };
    expect(bodyOf({ jsonSchema }).response_format).toEqual({
      type: 'json_schema',
      json_schema: { name: 'answer', schema: jsonSchema },
    });
  });

  it('declares tools, and says which must be called', () => {
    const tools = [add];
    expect(bodyOf({ tools }).tools).toEqual([
      { type: 'function', function: { name: 'add', description: 'Adds.', parameters: add.inputSchema } },
    ]);
    expect(bodyOf({ tools }).tool_choice).toBe('auto');
    expect(bodyOf({ tools, toolForcing: { type: 'none' } }).tool_choice).toBe('none');
    expect(bodyOf({ tools, toolForcing: { type: 'any' } }).tool_choice).toBe('required');
    expect(bodyOf({ tools, toolForcing: { type: 'tool', name: 'add' } }).tool_choice).toEqual({
      type: 'function',
      function: { name: 'add' },
    });
    expect(bodyOf({ toolForcing: { type: 'any' } })).not.toHaveProperty('tool_choice');
  });

  it('forbids parallel calls only where there are tools to call', () => {
    expect(bodyOf({ tools: [add] })).not.toHaveProperty('parallel_tool_calls');
    expect(bodyOf({ tools: [add], parallelToolCalls: false }).parallel_tool_calls).toBe(false);
    expect(bodyOf({ parallelToolCalls: false })).not.toHaveProperty('parallel_tool_calls');
  });

  it('sends calls and their results, results first, failures told in words', () => {
    expect(
      messagesOf(
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'hm', signature: 's' },
            { type: 'text', text: 'Let me ' },
            { type: 'text', text: 'see.' },
            { type: 'tool_use', id: 'a', name: 'add', input: { a: 1 } },
            { type: 'tool_use', id: 'b', name: 'add', input: {} },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'And now?' },
            { type: 'tool_result', toolUseId: 'a', content: '1', isError: false },
            { type: 'tool_result', toolUseId: 'b', content: 'No a.', isError: true },
          ],
        },
      ),
    ).toEqual([
      {
        role: 'assistant',
        content: 'Let me see.',
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'add', arguments: '{"a":1}' } },
          { id: 'b', type: 'function', function: { name: 'add', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: '<tool_data>\n1\n</tool_data>' },
      { role: 'tool', tool_call_id: 'b', content: 'The call failed.\n<tool_data>\nNo a.\n</tool_data>' },
      { role: 'user', content: 'And now?' },
    ]);
  });

  it('takes an answer of ours apart that has its results in its middle', () => {
    expect(
      messagesOf({
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'a', name: 'add', input: {} },
          { type: 'tool_result', toolUseId: 'a', content: '1', isError: false },
          { type: 'text', text: 'It is 1.' },
        ],
      }),
    ).toMatchObject([
      { role: 'assistant', content: null, tool_calls: [{ id: 'a' }] },
      { role: 'tool', tool_call_id: 'a' },
      { role: 'assistant', content: 'It is 1.' },
    ]);
  });

  it('sends images as data URLs, beside the text', () => {
    expect(
      messagesOf({
        role: 'user',
        content: [
          { type: 'text', text: 'What is it?' },
          { type: 'image', mediaType: 'image/png', data: 'AAAA' },
        ],
      }),
    ).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is it?' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        ],
      },
    ]);
  });

  it('joins plain texts of a user by an empty line, and keeps the place of an answer without words', () => {
    const thinking = { type: 'thinking', thinking: 'hm' } as const;
    const texts = ['a', 'b'].map((text) => ({ type: 'text', text }) as const);
    expect(messagesOf({ role: 'user', content: texts }, { role: 'assistant', content: [thinking] })).toEqual([
      { role: 'user', content: 'a\n\nb' },
      { role: 'assistant', content: '' },
    ]);
  });

  it('asks the server to go on with the last words of the assistant, and only with those', () => {
    const goesOn = { add_generation_prompt: false, continue_final_message: true };
    const said: ConversationMessage = { role: 'assistant', content: [{ type: 'text', text: 'The answer is' }] };
    const called: ConversationMessage = {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 't1', name: 'add', input: {} }],
    };
    expect(bodyOf({ messages: [said] })).toMatchObject(goesOn);
    for (const last of [called, { role: 'assistant', content: [] } as ConversationMessage]) {
      for (const key of Object.keys(goesOn)) expect(bodyOf({ messages: [last] })).not.toHaveProperty(key);
    }
  });

  it('writes the same request the same way, whatever the order in which it was put together', () => {
    const given = { ...base, temperature: 1, seed: 3, tools: [add] };
    const shuffled = Object.fromEntries(Object.entries(given).reverse()) as unknown as ChatRequest;
    expect(chatRequestBody(shuffled, 'm')).toBe(chatRequestBody(given, 'm'));
  });
});
