import { inputMessageSchema } from '@app/contract';
import { toConversation } from './to-conversation';

const convert = (messages: object[], images = false) =>
  toConversation(
    messages.map((message) => inputMessageSchema.parse(message)),
    { images },
  );
const user = (content: unknown) => ({ role: 'user', content });
const assistant = (content: unknown) => ({ role: 'assistant', content });

describe('the conversation that a model gets', () => {
  it('has one message for consecutive turns of one role', () => {
    expect(convert([user('a'), user('b'), assistant('c'), user('d')]).messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
      { role: 'assistant', content: [{ type: 'text', text: 'c' }] },
      { role: 'user', content: [{ type: 'text', text: 'd' }] },
    ]);
  });

  it.each([
    ['tool_use', 'tool_result'],
    ['mcp_tool_use', 'mcp_tool_result'],
    ['server_tool_use', 'server_tool_result'],
  ])('answers a %s by a user turn, also where both stand in one assistant message', (use, result) => {
    const answer = [
      { type: 'text', text: 'Let me look.' },
      { type: use, id: 't1', name: 'search', input: { query: 'x' } },
      {
        type: result,
        tool_use_id: 't1',
        content: [
          { type: 'source', sources: [] },
          { type: 'text', text: 'found' },
        ],
      },
      { type: 'text', text: 'Here.' },
    ];
    expect(convert([user('q'), assistant(answer), user('ok')]).messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Let me look.' },
          { type: 'tool_use', id: 't1', name: 'search', input: { query: 'x' } },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', toolUseId: 't1', content: 'found', isError: false }] },
      { role: 'assistant', content: [{ type: 'text', text: 'Here.' }] },
      { role: 'user', content: [{ type: 'text', text: 'ok' }] },
    ]);
  });

  it('takes system messages before the first turn into the prompt, and later ones into the turn beside them', () => {
    const { system, messages } = convert([
      { role: 'system', content: 'Rules.' },
      user('a'),
      assistant('b'),
      user('c'),
      { role: 'system', content: 'Now be brief.' },
    ]);
    expect(system).toBe('Rules.');
    expect(messages.at(-1)).toEqual({
      role: 'user',
      content: [
        { type: 'text', text: 'c' },
        { type: 'text', text: 'Now be brief.' },
      ],
    });
  });

  it('turns the citations of an earlier answer back into marks, and drops empty texts', () => {
    const cited = "Yes <citation id='GONG' index='0' artifact_id='a' source_id='s'></citation>.";
    expect(
      convert([
        user('a'),
        assistant([
          { type: 'text', text: '' },
          { type: 'text', text: cited },
        ]),
      ]).messages[1],
    ).toEqual({
      role: 'assistant',
      content: [{ type: 'text', text: 'Yes [GONG].' }],
    });
  });

  it('holds the text of documents, and what they are called', () => {
    const source = { type: 'text', data: '30 days', media_type: 'text/plain' };
    expect(convert([user([{ type: 'document', title: 'Terms', source }])]).messages).toEqual([
      { role: 'user', content: [{ type: 'document', title: 'Terms', text: '30 days' }] },
    ]);
  });

  it('leaves a note where the user sent something that is not read', () => {
    const link = { type: 'resource_link', uri: 'https://example.com/a', name: 'a' };
    expect(convert([user([{ type: 'text', text: 'What is this?' }, link])]).messages[0]?.content).toEqual([
      { type: 'text', text: 'What is this?' },
      { type: 'text', text: '[a resource_link block, which was not read]' },
    ]);
  });

  it('gives images to a model that sees, and refuses them by name for one that does not', () => {
    const image = user([{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBO' } }]);
    expect(convert([image], true).messages[0]?.content).toEqual([
      { type: 'image', mediaType: 'image/png', data: 'iVBO' },
    ]);
    expect(() => convert([image])).toThrow('The model does not support images');
  });

  it.each([
    ['nobody asks', [assistant('x')], 'No user message found in request.'],
    ['the user says nothing', [user('  ')], 'The message cannot be empty.'],
    [
      'there is no text in the last question',
      [user('a'), assistant('b'), user([{ type: 'text', text: '' }])],
      'cannot be empty',
    ],
  ])('is refused when %s', (_, messages, expected) => {
    expect(() => convert(messages)).toThrow(expected);
  });

  it('looks behind a turn of results alone for what the user said', () => {
    const call = { type: 'tool_use', id: 't1', name: 'add', input: {} };
    const messages = [
      user('2+2?'),
      assistant([call]),
      user([{ type: 'tool_result', tool_use_id: 't1', content: '4' }]),
    ];
    expect(convert(messages).messages).toHaveLength(3);
  });
});
