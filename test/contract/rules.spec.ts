/** The rules over a whole body (messages-api §9): each with its status and its words, in both dialects, streamed or not. */
import { contractServer, DIALECTS, QUESTION, wordsOf } from './contract-server';

const use = (id: string, type = 'tool_use') => ({ type, id, name: 'sumar', input: {} });
const result = (id: string, type = 'tool_result') => ({ type, tool_use_id: id, content: 'ok' });
const turns = (...messages: object[]) => ({ messages: [QUESTION, ...messages] });
const assistant = (...content: object[]) => ({ role: 'assistant', content });
const user = (...content: object[]) => ({ role: 'user', content });
const tools = [{ name: 'sumar' }];
const schema = { type: 'object', properties: { dias: { type: 'integer' } } };
const format = { type: 'json_schema', schema };
const pair: [use: string, result: string][] = [
  ['tool_use', 'tool_result'],
  ['server_tool_use', 'server_tool_result'],
  ['mcp_tool_use', 'mcp_tool_result'],
  ['server_tool_use', 'web_search_tool_result'],
];

type Case = [name: string, body: object, words: string, loc: (string | number)[]];

describe('the rules of a body (§rules-in-streams §rules-in-dialects)', () => {
  const api = contractServer();

  const refuses = (cases: Case[]) =>
    it.each(cases)('unlike %s', async (_name, body, words, loc) => {
      for (const [, headers] of DIALECTS) {
        for (const stream of [false, true]) {
          const refused = await api.refusal({ ...body, stream }, headers);
          expect([refused.status, refused.body.error.type]).toEqual([400, 'invalid_request_error']);
          expect(refused.body.detail).toEqual(
            expect.arrayContaining([
              { type: expect.any(String), loc: ['body', ...loc], msg: expect.stringContaining(words) },
            ]),
          );
        }
      }
      expect(api.model.requests).toEqual([]);
    });

  describe('Messages must be there (§rule-1)', () => {
    refuses([
      ['no messages', { messages: [] }, 'Value error, Messages cannot be empty', ['messages']],
      [
        'only system messages',
        { messages: [{ role: 'system', content: 'x' }] },
        'Value error, Messages cannot be empty',
        ['messages'],
      ],
    ]);
  });

  describe('A content must not be empty (§rule-2)', () => {
    refuses(
      (
        [
          ['an empty text', ''],
          ['an empty list', []],
          ['null', null],
          ['a null block', [null]],
          ['a null among blocks', [{ type: 'text', text: 'x' }, null]],
        ] as const
      ).map(([name, content]) => [
        name,
        { messages: [{ role: 'user', content }] },
        'Value error, Message content cannot be empty: ',
        ['messages', 0, 'content'],
      ]),
    );
  });

  describe('A role must be known (§rule-3)', () => {
    refuses([
      [
        'a last message of another role',
        turns({ role: 'tool', content: 'x' }),
        'Invalid option: expected one of',
        ['messages', 1, 'role'],
      ],
      [
        'a first message of another role',
        { messages: [{ role: 'developer', content: 'x' }] },
        '"user"|"assistant"|"system"',
        ['messages', 0, 'role'],
      ],
    ]);
  });

  describe('Tools must have names of their own (§rule-4)', () => {
    refuses([
      ['two tools of one name', { tools: [...tools, ...tools] }, 'Value error, Duplicate tool names: sumar', ['tools']],
      [
        'a bare tool and one of its canonical name',
        { tools: ['web_extract_v1', { name: 'web_fetch' }] },
        'Value error, Duplicate tool names: web_fetch',
        ['tools'],
      ],
    ]);
  });

  describe('A chosen tool must be there (§rule-5)', () => {
    refuses([
      [
        'a choice that is not there',
        { tools, tool_choice: { type: 'tool', name: 'restar' } },
        "Value error, Tool choice 'restar' is not in the provided tools.",
        ['tool_choice'],
      ],
    ]);
  });

  describe('A tool must have a name (§rule-6)', () => {
    refuses(
      (
        [
          ['without a name', [{ type: 'semantic_search_v1' }], ['tools', 0, 'name']],
          ['with a null name', [{ name: null }], ['tools', 0, 'name']],
          ['that is a number', [7], ['tools', 0]],
          ['that is null', [null], ['tools', 0]],
          ['that is a list', [['sumar']], ['tools', 0]],
        ] as const
      ).map(([name, given, loc]) => [
        `a tool ${name}`,
        { tools: given },
        'Value error, Invalid tool specification: ',
        [...loc],
      ]),
    );
  });

  describe('Context must have tools (§rule-7)', () => {
    refuses([
      [
        'context without tools',
        { tool_context: [{ type: 'text', value: 'x' }] },
        'Value error, Tool context is provided, but no tools are specified. ',
        ['tool_context'],
      ],
    ]);
  });

  describe('response_format must stand alone (§rule-8)', () => {
    refuses([
      [
        'a response_format beside tools',
        { tools, response_format: { type: 'json_schema', json_schema: schema } },
        'Value error, Tools are not supported when response_format is set to json_schema',
        ['tools'],
      ],
    ]);
  });

  describe('A document must stand without MCP servers and citations (§rule-9)', () => {
    refuses([
      [
        'a document and MCP servers',
        { output_config: { format }, mcp_servers: [{ url: 'https://mcp.example' }] },
        'Value error, MCP servers are not supported when structured output is enabled.',
        ['output_config'],
      ],
      [
        'a document and citations',
        { output_config: { format }, system: [{ citations: { enabled: true } }] },
        'Value error, Citations are not supported when structured output is enabled.',
        ['output_config'],
      ],
    ]);
  });

  describe('A document must have a schema (§rule-10)', () => {
    refuses([
      [
        'response_format without a schema',
        { response_format: { type: 'json_schema' } },
        'Value error, JSON schema must be provided when response format is json_schema',
        ['response_format'],
      ],
      [
        'output_config.format without a schema',
        { output_config: { format: { type: 'json_schema' } } },
        'Value error, JSON schema must be provided when response format is json_schema',
        ['output_config'],
      ],
    ]);
  });

  describe('Calls must be of the assistant (§rule-11)', () => {
    refuses(
      pair.map(([call, answer]) => [
        `${call} by the user`,
        turns(user(use('t1', call)), user(result('t1', answer))),
        'Value error, Tool use blocks can only be used in assistant messages: t1',
        ['messages', 1, 'content', 0],
      ]),
    );
  });

  describe('Calls must have ids of their own (§rule-12)', () => {
    refuses(
      pair.map(([call, answer]) => [
        `${call} with an id that was used`,
        turns(assistant(use('t1', call)), user(result('t1', answer)), assistant(use('t1', call))),
        'Value error, Duplicate tool use ID found: t1',
        ['messages', 3, 'content', 0],
      ]),
    );
  });

  describe('Results must follow their calls (§rule-13)', () => {
    refuses(
      pair.flatMap(([call, answer]): Case[] => [
        [
          `${answer} without its call`,
          turns(user(result('t9', answer))),
          'Value error, Tool result block references an unknown tool use ID: t9',
          ['messages', 1, 'content', 0],
        ],
        [
          `${answer} before its call`,
          turns(user(result('t9', answer)), assistant(use('t9', call))),
          'Value error, Tool result block references an unknown tool use ID: t9',
          ['messages', 1, 'content', 0],
        ],
      ]),
    );
  });

  describe('Calls must be answered (§rule-14 §rule-names-id)', () => {
    refuses(
      pair.map(([call]) => [
        `${call} that was never answered`,
        turns(assistant(use('t1', call)), QUESTION),
        'Value error, Tool result blocks must match the tool use IDs in the same message. Without a result: t1',
        ['messages'],
      ]),
    );
  });

  describe('Calls must be answered once (§rule-15)', () => {
    refuses(
      pair.map(([call, answer]) => [
        `two of ${answer} for one call`,
        turns(assistant(use('t1', call)), user(result('t1', answer), result('t1', answer))),
        'Value error, Invalid message order: tool use t1 is answered twice',
        ['messages', 2, 'content', 1],
      ]),
    );
  });

  describe('tldr must be of the assistant (§rule-16)', () => {
    refuses([
      [
        'a tldr of the user',
        turns(user({ type: 'tldr', content: [] })),
        'Value error, TLDR blocks can only be used in assistant messages',
        ['messages', 1, 'content', 0],
      ],
    ]);
  });

  describe('Types, enums and ids must be known (§rule-17 §block-unknown)', () => {
    refuses([
      [
        'a block of an unknown type',
        turns(user({ type: 'hologram' })),
        'Unknown type: expected one of text, image',
        ['messages', 1, 'content', 0],
      ],
      [
        'a context of an unknown type',
        { tools, tool_context: [{ type: 'folder' }] },
        'Unknown type: expected one of ingested_artifact',
        ['tool_context', 0],
      ],
      ['a bad choice', { tools, tool_choice: { type: 'maybe' } }, 'Invalid option', ['tool_choice', 'type']],
      [
        'a bad mode',
        { tools, tool_choice: { type: 'auto', validation_mode: 'later' } },
        'Invalid option',
        ['tool_choice', 'validation_mode'],
      ],
      [
        'a bad id of a call',
        turns(assistant(use('t 1')), user(result('t 1'))),
        'letters, digits',
        ['messages', 1, 'content', 0, 'id'],
      ],
      ['a bad effort', { output_config: { effort: 'enormous' } }, 'Invalid option', ['output_config', 'effort']],
      [
        'a database without its address',
        { tools: ['database_query_v1'], tool_context: [{ type: 'sql_database' }] },
        'Field required',
        ['tool_context', 0, 'connection_string'],
      ],
      [
        'a metadata condition of an unknown operator',
        {
          tools: ['semantic_search_v1'],
          tool_context: [
            {
              type: 'ingested_artifact',
              context_filter: { metadata_filter: [{ key: 'a', operator: '~', value: 'b' }] },
            },
          ],
        },
        'Invalid option',
        ['tool_context', 0, 'context_filter', 'metadata_filter', 0, 'operator'],
      ],
    ]);
  });

  describe('in the engine', () => {
    const engine: [string, object, string, string][] = [
      [
        'nobody of the user',
        { messages: [assistant({ type: 'text', text: 'x' })] },
        'No user message found in request.',
        'INVALID_REQUEST_ERROR',
      ],
      [
        'a user who says nothing',
        { messages: [user({ type: 'text', text: '' })] },
        'The message cannot be empty.',
        'INVALID_REQUEST_EMPTY_MESSAGE_ERROR',
      ],
      [
        'a user who ends in silence',
        turns(assistant({ type: 'text', text: 'x' }), { role: 'user', content: ' ' }),
        'The message cannot be empty.',
        'INVALID_REQUEST_EMPTY_MESSAGE_ERROR',
      ],
    ];
    it.each(engine)(
      'refuse %s, by status in a stream too (§no-user §no-user-text §error-codes)',
      async (_, body, words, code) => {
        for (const [, headers] of DIALECTS) {
          for (const stream of [false, true]) {
            const refused = await api.refusal({ ...body, stream }, headers);
            expect([refused.status, wordsOf(refused), refused.body.error.detail.code]).toEqual([400, words, code]);
          }
        }
      },
    );

    it('tell a prompt that does not fit in the words that clients match (§overflow §error-tool-word)', async () => {
      const long = 'palabra '.repeat(80_000);
      for (const [, headers] of DIALECTS) {
        for (const stream of [false, true]) {
          const refused = await api.refusal({ messages: [{ role: 'user', content: long }], stream }, headers);
          expect(refused.status).toBe(400);
          expect(refused.body.error.message).toMatch(/^prompt is too long: \d+ tokens > 32768 maximum$/);
        }
      }
    });
  });

  it('do not ask for turns that alternate, nor for a user to begin (§not-required §results-are-no-words)', async () => {
    const call = [assistant(use('t1')), user(result('t1'))];
    for (const messages of [
      [assistant({ type: 'text', text: 'Hola' }), QUESTION],
      [QUESTION, QUESTION, assistant({ type: 'text', text: 'a' }), assistant({ type: 'text', text: 'b' }), QUESTION],
      [QUESTION, ...call],
      [QUESTION, assistant(use('t1'), use('t2')), user({ type: 'text', text: 'mira' }, result('t2'), result('t1'))],
      [QUESTION, { role: 'system', content: 'x' }],
      [user({ type: 'tldr', content: [] }), QUESTION].slice(1),
    ]) {
      api.model.says('Sí.');
      await api.ask({ messages, tools });
    }
  });

  it('refuse in words that are about something else than tools without naming them (§error-tool-word)', async () => {
    for (const more of [
      { messages: [] },
      turns(user({ type: 'hologram' })),
      { temperature: 3 },
      { output_config: { effort: 'enormous' } },
      { thinking: { type: 'x' } },
      { system: 7 },
    ]) {
      expect((await api.refusal(more)).body.error.message).not.toMatch(/tool/i);
    }
  });

  describe('against bombs (§bombs)', () => {
    const deep = (levels: number) => Array.from({ length: levels }).reduce<object>((inner) => ({ a: inner }), {});
    const many = (length: number, one: unknown) => Array.from({ length }, () => one);

    it.each<[string, object, string]>([
      [
        'a history that nests',
        turns(assistant({ ...use('t1'), input: deep(70) }), user(result('t1'))),
        'nests deeper than 64',
      ],
      ['more tools than may be', { tools: many(129, { name: 'x' }) }, 'at most 128 tools'],
      ['more stop sequences than may be', { stop_sequences: many(17, 'x') }, 'stop_sequences'],
      ['an empty stop sequence', { stop_sequences: [''] }, 'stop_sequences'],
      ['more contexts than may be', { tools, tool_context: many(101, { type: 'text', value: 'x' }) }, 'tool_context'],
      ['more values than may be', { metadata: { x: many(200_001, 1) } }, 'more than 200000 JSON tokens'],
      ['more system entries than may be', { system: many(1001, 'x') }, 'system'],
      [
        'a key that reaches a prototype',
        turns(assistant({ ...use('t1'), input: JSON.parse('{"__proto__": {"a": 1}}') }), user(result('t1'))),
        'this key is not allowed',
      ],
      [
        'a schema with such a key',
        { tools: [{ name: 'x', input_schema: JSON.parse('{"properties": {"__proto__": {}}}') }] },
        'this key is not allowed',
      ],
    ])('say no to %s', async (_, body, words) => {
      const refused = await api.refusal(body);
      expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringContaining(words)]);
    });

    it('tell at most ten things of many that are wrong', async () => {
      const refused = await api.refusal({ messages: many(500, { role: 'nobody', content: [] }) });
      expect(refused.body.detail).toHaveLength(10);
    });
  });
});
