/** Promises about tools: how they are declared, chosen and checked, and what a model server makes of calls. */
import { createServer, type AddressInfo } from 'node:net';
import type { Message } from '@app/contract';
import { chunk } from '../support/fake-model-server';
import { ANTHROPIC, contractServer, DIALECTS, QUESTION, wordsOf } from './contract-server';

const SEARCH = 'Semantic search tool requires an ingested artifact context.';
const TABULAR = 'Tabular data analysis tool requires an ingested artifact context.';
const DATABASE = 'Database query tool requires at least one SQL database artifact in the tool context.';
const ingested = (filter: object = {}) => ({
  type: 'ingested_artifact',
  context_filter: { collection: 'rrhh', ...filter },
});
const sumar = {
  name: 'sumar',
  input_schema: {
    type: 'object',
    properties: { a: { type: 'integer' }, b: { type: 'integer' } },
    required: ['a', 'b'],
  },
};

describe('tools', () => {
  const api = contractServer({ LOG_LEVEL: 'info' }, [
    'big-model',
    { id: 'wordy', capabilities: { function_calling: false } },
  ]);
  const { ask, stream, refusal } = api;
  beforeAll(async () => {
    for (const [artifact, value] of [
      ['manual', 'Cada empleado tiene 27 días de vacaciones al año.'],
      ['horario', 'La oficina abre a las ocho y cierra a las seis. El horario de verano es de ocho a tres.'],
    ]) {
      const body = { artifact, collection: 'rrhh', input: { type: 'text', value }, metadata: { tema: artifact } };
      expect((await api.server.post('/v1/artifacts/ingest', body)).status).toBe(200);
    }
  });
  /** What the model is offered. */
  const offered = async (more: object, headers?: Record<string, string>) => {
    api.model.says('Sí.');
    await ask(more, headers);
    return (api.prompt.tools ?? []).map((one: any) => one.function);
  };
  const resultOf = ({ content }: Pick<Message, 'content'>) =>
    content.find((block) => block.type === 'tool_result') as Extract<
      Message['content'][number],
      { type: 'tool_result' }
    >;
  /** The result of one search by the model. */
  const searched = async (more: object, input: object = { query: 'vacaciones' }) => {
    api.model.calls('buscar', input).says('Ya.');
    return resultOf(await ask({ tools: [{ name: 'buscar', type: 'semantic_search_v1' }], ...more }));
  };

  describe('are declared', () => {
    const properties = { a: { type: 'integer' } };

    it('with a schema under either name, or none, and with a description or none (§tool-schema-keys §tool-description)', async () => {
      const schema = { type: 'object', properties };
      const none = { type: 'object', properties: {} };
      expect(
        await offered({
          tools: [
            { name: 'a', description: 'Suma.', inputSchema: schema },
            { name: 'b', input_schema: schema },
            { name: 'c' },
            { name: 'd', type: null, input_schema: none },
            { name: 'e', type: 'custom', input_schema: {} },
          ],
        }),
      ).toEqual([
        { name: 'a', description: 'Suma.', parameters: schema },
        { name: 'b', description: '', parameters: schema },
        { name: 'c', description: '', parameters: none },
        { name: 'd', description: '', parameters: none },
        { name: 'e', description: '', parameters: {} },
      ]);
    });

    it('with whatever else clients write there (§tool-extra-keys §tool-instructions)', async () => {
      const extra = {
        strict: true,
        defer_loading: true,
        eager_input_streaming: true,
        input_examples: [{ a: 1 }],
        allowed_callers: ['direct'],
        cache_control: { type: 'ephemeral' },
        max_characters: null,
      };
      expect(await offered({ tools: [{ ...sumar, ...extra, instructions: 'Suma siempre dos veces.' }] })).toHaveLength(
        1,
      );
      expect(api.prompt.messages[0]).toEqual({ role: 'system', content: 'Suma siempre dos veces.' });
    });

    it('with any schema that a client may have made (§tool-schema-any)', async () => {
      const input_schema = {
        $schema: 'http://json-schema.org/draft-07/schema#',
        type: 'object',
        properties: {
          fecha: { anyOf: [{ type: 'string', format: 'date', pattern: '^(?=2)' }, { type: 'null' }] },
          modo: { const: 'rápido' },
          nodo: { $ref: '#/$defs/nodo' },
          _oculto: { type: ['string', 'null'] },
        },
        $defs: {
          nodo: {
            type: 'object',
            properties: { hijos: { type: 'array', items: { $ref: '#/$defs/nodo' }, minItems: 0 } },
          },
        },
        propertyNames: { maxLength: 20 },
        patternProperties: { '^x-': {} },
        additionalProperties: false,
        'x-vendor': { anything: [1] },
      };
      expect((await offered({ tools: [{ name: 'a', input_schema }] }))[0].parameters).toEqual(input_schema);
      const input = { fecha: '1999-01-01', modo: 'rápido', nodo: { hijos: [{ hijos: [] }] }, _oculto: null };
      api.model.calls('a', input);
      expect((await ask({ tools: [{ name: 'a', input_schema }] })).content).toMatchObject([{ input }]);
    });

    it('by dozens, with long names (§tool-names)', async () => {
      const tools = Array.from({ length: 128 }, (_, at) => ({ name: `mcp__servidor__${'x'.repeat(110)}_${at}` }));
      expect(await offered({ tools })).toHaveLength(128);
      api.model.calls(tools[127]!.name, {});
      expect(await ask({ tools })).toMatchObject({ content: [{ name: tools[127]!.name }], stop_reason: 'tool_use' });
    });

    it.each([
      ['semantic_search_v1', 'semantic_search'],
      ['semantic_search_v27', 'semantic_search'],
      ['semantic_search', 'semantic_search'],
      ['web_extract_v1', 'web_fetch'],
      ['web_extract', 'web_fetch'],
      ['web_fetch_v3', 'web_fetch'],
    ])(
      'as a built-in by any version of its type: %s (§tool-bare-string §tool-type-version)',
      async (type, canonical) => {
        const tool_context = [ingested()];
        expect((await offered({ tools: [type], tool_context }))[0].name).toBe(canonical);
        const [named] = await offered({ tools: [{ name: 'mio', type }], tool_context });
        expect(named).toMatchObject({ name: 'mio', parameters: { type: 'object' } });
      },
    );

    it('as a built-in of which the caller decides the name alone (§tool-built-in-fields)', async () => {
      const tool = {
        name: 'buscar',
        type: 'semantic_search_v1',
        description: 'MÍA',
        instructions: 'MÍAS',
        input_schema: { title: 'MÍO' },
      };
      const [found] = await offered({ tools: [tool], tool_context: [ingested()] });
      expect(found.parameters).toMatchObject({ properties: { query: {} }, required: ['query'] });
      expect(JSON.stringify(api.prompt)).not.toMatch(/MÍ[AO]/);
    });

    it.each([
      { name: 'semantic_search' },
      { name: 'semantic_search', type: 'custom' },
      { name: 'mirar', type: 'mirador_v1' },
      { name: 'mirar', type: 'function' },
    ])(
      'as the caller’s own where the type says no more: %j (§tool-name-is-no-type §tool-unknown-type)',
      async (tool) => {
        api.model.calls(tool.name, { x: 1 });
        const message = await ask({ tools: [{ ...tool, input_schema: { type: 'object' } }] });
        expect(message).toMatchObject({ content: [{ type: 'tool_use', input: { x: 1 } }], stop_reason: 'tool_use' });
      },
    );

    it.each([
      ['bash_20241022', 'bash', 'command'],
      ['bash_20250124', 'bash', 'command'],
      ['text_editor_20241022', 'str_replace_editor', 'path'],
      ['text_editor_20250728', 'str_replace_based_edit_tool', 'old_str'],
      ['computer_20251124', 'computer', 'coordinate'],
      ['memory_20250818', 'memory', 'old_path'],
    ])('as %s, whose schema is known here (§tool-dated-client)', async (type, name, argument) => {
      const tools = [{ type, name, display_width_px: 1024, display_height_px: 768, max_characters: 9000 }];
      const [declared] = await offered({ tools }, ANTHROPIC);
      expect(declared).toMatchObject({ name, parameters: { properties: { [argument]: {} } } });
      expect(declared.description).not.toBe('');
      const input = { command: 'view', path: '/a', action: 'screenshot' };
      api.model.calls(name, input);
      expect(await ask({ tools }, ANTHROPIC)).toMatchObject({
        content: [{ type: 'tool_use', name }],
        stop_reason: 'tool_use',
      });
    });

    it.each([
      'web_search_20250305',
      'web_search_20260318',
      'code_execution_20260120',
      'tool_search_tool_bm25_20251119',
      'advisor_20260301',
      'computer_toolset_20260801',
      'browser_toolset_20260801',
    ])('as %s, which is refused by name (§tool-dated-server §tool-toolset)', async (type) => {
      for (const streamed of [false, true]) {
        const said = await refusal({ tools: [{ type, name: 'x' }], stream: streamed }, ANTHROPIC);
        expect([said.status, wordsOf(said)]).toEqual([400, expect.stringContaining(type)]);
      }
    });

    it('of a newer date than ours, which are left out with a line in the log (§tool-dated-unknown)', async () => {
      expect(await offered({ tools: [{ type: 'telepathy_20290101', name: 'x' }, sumar] }, ANTHROPIC)).toMatchObject([
        { name: 'sumar' },
      ]);
      expect(api.server.output()).toContain('telepathy_20290101');
      expect(
        await offered({ tools: [{ type: 'telepathy_20290101', name: 'x' }], tool_choice: { type: 'any' } }),
      ).toEqual([]);
    });
  });

  describe('are not for every model', () => {
    it('and are refused by their code for one that its server lists without them (§tool-unsupported)', async () => {
      for (const [, headers] of DIALECTS) {
        for (const streamed of [false, true]) {
          const said = await refusal({ model: 'wordy', tools: [sumar], stream: streamed }, headers);
          expect([said.status, said.body.error.detail.code]).toEqual([400, 'INVALID_REQUEST_TOOL_SUPPORTED_ERROR']);
          expect(wordsOf(said)).toContain('The model wordy does not support tools.');
        }
      }
      const checked = await api.post({ model: 'wordy', tools: [sumar] }, {}, '/v1/messages/validate');
      expect([checked.status, await checked.json()]).toMatchObject([400, { valid: false }]);
      expect(api.model.requests).toEqual([]);
      expect(await offered({ model: 'wordy', tools: [sumar], tool_choice: { type: 'none' } })).toEqual([]);
      expect(await offered({ model: 'wordy' })).toEqual([]);
    });

    it.each([
      'registry.ollama.ai/library/mudo:1b does not support tools',
      '"auto" tool choice requires --enable-auto-tool-choice',
    ])('and are by that code where the server that it runs on says so: %s (§tool-unsupported)', async (message) => {
      api.model.fails(400, { error: { message } });
      const said = await refusal({ tools: [sumar] });
      expect([said.status, said.body.error.detail.code]).toEqual([400, 'INVALID_REQUEST_TOOL_SUPPORTED_ERROR']);
    });
  });

  describe('are chosen', () => {
    it.each(DIALECTS)(
      'by the model with auto, which may answer in words: %s (§choice-auto §stop-end-turn)',
      async (_, headers) => {
        for (const tool_choice of [undefined, null, 'auto', { type: 'auto' }]) {
          api.model.says('Son 3.');
          expect(await ask({ tools: [sumar], tool_choice }, headers)).toMatchObject({
            content: [{ text: 'Son 3.' }],
            stop_reason: 'end_turn',
          });
          expect(api.prompt.tool_choice).toBe('auto');
        }
      },
    );

    it.each<[string, object, unknown]>([
      ['any', { type: 'any' }, 'required'],
      ['tool', { type: 'tool', name: 'sumar' }, { type: 'function', function: { name: 'sumar' } }],
    ])('by force with %s, and freely after the call (§choice-any §choice-tool)', async (_, tool_choice, forced) => {
      const tools = [sumar, { name: 'buscar', type: 'semantic_search_v1' }];
      api.model.calls('sumar', { a: 1, b: 2 });
      expect((await ask({ tools, tool_context: [ingested()], tool_choice })).stop_reason).toBe('tool_use');
      expect(api.prompt.tool_choice).toEqual(forced);
      expect(api.prompt.tools).toHaveLength(tool_choice === undefined || 'name' in tool_choice ? 1 : 2);
      const search = { type: 'tool', name: 'buscar' };
      api.model.calls('buscar', { query: 'vacaciones' }).says('27.');
      await ask({ tools, tool_context: [ingested()], tool_choice: search });
      expect(api.model.requests.slice(-2).map((one) => one.tool_choice)).toEqual([
        { type: 'function', function: { name: 'buscar' } },
        'auto',
      ]);
    });

    it.each(['buscar', 'semantic_search', 'semantic_search_v1', 'semantic_search_v9'])(
      'by name, canonical name or type: %s (§choice-name)',
      async (name) => {
        api.model.calls('buscar', { query: 'vacaciones' }).says('27.');
        const tools = [sumar, { name: 'buscar', type: 'semantic_search_v1' }];
        await ask({ tools, tool_context: [ingested()], tool_choice: { type: 'tool', name } });
        expect(api.model.requests[0]!.tools).toMatchObject([{ function: { name: 'buscar' } }]);
      },
    );

    it('not at all with none, whatever the context, and without a look at it (§choice-none)', async () => {
      const database = { type: 'sql_database', connection_string: 'postgresql://u:p@127.0.0.1:1/x' };
      for (const tool_context of [
        undefined,
        [],
        [ingested({ artifacts: ['nada'] })],
        [ingested(), ingested()],
        [database],
      ]) {
        const tools = ['semantic_search_v1', 'database_query_v1', sumar];
        const tool_choice = { type: 'none', validation_mode: 'eager' };
        expect(await offered({ tools, tool_context, tool_choice })).toEqual([]);
        expect(api.prompt.tool_choice).toBeUndefined();
      }
    });

    it('without a look where there are none (§choice-without-tools)', async () => {
      for (const tools of [undefined, null, []]) {
        for (const tool_choice of [{ type: 'tool', name: 'nada' }, { type: 'tool' }, { type: 'any' }]) {
          expect(await offered({ tools, tool_choice })).toEqual([]);
        }
      }
      expect(wordsOf(await refusal({ tools: [sumar], tool_choice: { type: 'tool' } }))).toContain('needs the name');
    });

    it('by a name, which the choice must have (§choice-nameless)', async () => {
      for (const name of [undefined, null, '']) {
        const said = await refusal({ tools: [sumar], tool_choice: { type: 'tool', name } });
        expect([said.status, said.body.detail]).toMatchObject([400, [{ loc: ['body', 'tool_choice', 'name'] }]]);
      }
    });

    it('one at a time where the caller says so, also those of the server (§choice-sequential)', async () => {
      const call = (query: string) => ({ name: 'buscar', input: { query } });
      api.model.callsAll(call('uno'), call('dos')).says('Ya.');
      const message = await ask({
        tools: [{ name: 'buscar', type: 'semantic_search_v1' }],
        tool_context: [ingested()],
        tool_choice: { type: 'auto', disable_parallel_tool_use: true },
      });
      expect(message.content.map(({ type }) => type)).toEqual(['tool_use', 'tool_result', 'text']);
      expect(api.prompt.parallel_tool_calls).toBe(false);
    });
  });

  describe('have a context', () => {
    it.each([
      ['semantic_search_v1', SEARCH],
      ['tabular_analysis_v1', TABULAR],
      ['database_query_v1', DATABASE],
    ])('or are refused in their own words: %s (§context-missing §rules-in-streams)', async (type, words) => {
      const others = [
        { type: 'file', value: 'AAAA' },
        { type: 'uri', value: 'https://e.com' },
        { type: 'text', value: 'x' },
      ];
      for (const [, headers] of DIALECTS) {
        for (const validation_mode of ['eager', 'lazy']) {
          for (const more of [{}, { tool_context: [] }, { tool_context: others }]) {
            for (const streamed of [false, true]) {
              const tool_choice = { type: 'auto', validation_mode };
              const said = await refusal({ tools: [type], tool_choice, stream: streamed, ...more }, headers);
              expect([said.status, wordsOf(said), said.body.error.detail.code]).toEqual([
                400,
                words,
                'INVALID_REQUEST_ERROR',
              ]);
            }
          }
        }
      }
      expect(api.model.requests).toEqual([]);
    });

    it.each(['semantic_search_v1', 'tabular_analysis_v1'])('of one entry: %s (§context-one)', async (type) => {
      for (const validation_mode of ['eager', 'lazy']) {
        const said = await refusal({
          tools: [type],
          tool_context: [ingested(), ingested()],
          tool_choice: { type: 'auto', validation_mode },
        });
        expect([said.status, wordsOf(said)]).toEqual([400, 'Only one ingested context is supported.']);
      }
    });

    describe('of databases that cannot be reached', () => {
      const server = createServer((socket) => {
        tries++;
        socket.destroy();
      });
      let tries = 0;
      let request: (validation_mode: string, type?: string) => object;
      beforeAll(async () => {
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
        const { port } = server.address() as AddressInfo;
        const databases = [
          { type: 'sql_database', connection_string: `postgresql://u:S3CR3T@127.0.0.1:${port}/x` },
          { type: 'sql_database', connection_string: 'postgresql://u:S3CR3T@10.9.8.7/x' },
          { type: 'sql_database', connection_string: 'db2://u:S3CR3T@127.0.0.1/x' },
        ];
        request = (validation_mode, type = 'auto') => ({
          messages: [QUESTION],
          tools: ['database_query_v1'],
          tool_choice: { type, validation_mode },
          tool_context: databases,
        });
      });
      beforeEach(() => (tries = 0));
      afterAll(() => void server.close());

      it('are refused before the model runs (§eager-database)', async () => {
        for (const [, headers] of DIALECTS) {
          for (const stream of [false, true]) {
            const said = await refusal({ ...request('eager'), stream }, headers);
            expect([said.status, said.body.error.type, said.body.error.detail.code]).toEqual([
              403,
              'permission_error',
              'PERMISSION_ERROR',
            ]);
            expect(wordsOf(said).split('\n')).toEqual([
              'One or more database connections failed:',
              expect.stringMatching(/^Database 1: connection_failed: /),
              expect.stringMatching(/^Database 2: connection_denied: .*DATABASE_ALLOW/),
              expect.stringMatching(/^Database 3: connection_denied: /),
            ]);
          }
        }
        expect([tries > 0, api.model.requests]).toEqual([true, []]);
      });

      it('are a failed result (§lazy-database)', async () => {
        api.model.calls('database_query', { query: '¿Cuánto?' }).says('No se puede.');
        const message = await ask(request('lazy'));
        expect(message.content).toMatchObject([
          { type: 'tool_use' },
          {
            type: 'tool_result',
            is_error: true,
            content: [{ text: expect.stringMatching(/^No results found\.\nError: connection_failed: /) }],
          },
          { type: 'text', text: 'No se puede.' },
        ]);
        expect(JSON.stringify([message, api.model.requests])).not.toContain('S3CR3T');
      });

      it('are left alone where no tool is offered (§none-database)', async () => {
        api.model.says('Hola.');
        expect((await ask(request('eager', 'none'))).content).toMatchObject([{ text: 'Hola.' }]);
        expect(tries).toBe(0);
      });
    });

    it('of their own, over the global one (§context-own)', async () => {
      const own = (context: object[]) => ({
        tools: [{ name: 'buscar', type: 'semantic_search_v1', context }],
        tool_context: [ingested()],
      });
      expect((await searched(own([ingested({ artifacts: ['horario'] })]))).content).toMatchObject([
        { text: expect.stringContaining('oficina') },
      ]);
      expect((await searched(own([ingested({ collection: 'otra' })]))).content).toMatchObject([
        { text: 'No content is available.' },
      ]);
      expect(wordsOf(await refusal(own([])))).toBe(SEARCH);
    });

    it('of the kinds that they know, beside others (§context-kinds)', async () => {
      const skill = { type: 'skill', skill_filter: { collection: 'c', skill_or_version_ids: ['a'] } };
      const database = { type: 'sql_database', connection_string: 'postgresql://u:p@127.0.0.1:1/x', schema: 'public' };
      const others = [
        { type: 'text', value: 'x' },
        { type: 'uri', value: 'https://e.com' },
        { type: 'file', value: 'AAAA' },
      ];
      const result = await searched({ tool_context: [skill, database, ...others, ingested()] });
      expect(result).toMatchObject({ is_error: false, content: [{ text: expect.stringContaining('27 días') }] });
    });

    it('that is the whole collection when its list of artifacts is empty or absent (§context-empty-list)', async () => {
      for (const artifacts of [[], null, undefined]) {
        const result = await searched({ tool_context: [ingested({ artifacts })] });
        expect(JSON.stringify(result.content)).toMatch(/27 días.*oficina|oficina.*27 días/s);
      }
    });

    it('that the model narrows, and never widens (§context-narrows)', async () => {
      const within = async (artifacts: string[] | undefined, asked: string[]) => {
        const result = await searched(
          { tool_context: [ingested({ artifacts })] },
          { query: 'vacaciones u oficina', artifacts: asked },
        );
        const text = JSON.stringify(result.content);
        return ['27 días', 'oficina', 'No content is available.'].filter((words) => text.includes(words));
      };
      expect(await within(['manual', 'horario'], ['horario'])).toEqual(['oficina']);
      expect(await within(['manual'], ['horario'])).toEqual(['No content is available.']);
      expect(await within(['manual'], ['horario', 'manual'])).toEqual(['27 días']);
    });

    it('whose conditions are all met, by operators that exist (§context-operators)', async () => {
      const where = (...metadata_filter: object[]) => ({ tool_context: [ingested({ metadata_filter })] });
      const tema = (value: string, operator?: string) => ({ key: 'tema', value, operator });
      const texts = async (more: object) => JSON.stringify((await searched(more)).content);
      expect(await texts(where(tema('manual')))).toMatch(/27 días/);
      expect(await texts(where(tema('manual')))).not.toMatch(/oficina/);
      expect(await texts(where(tema('manual'), tema('horario')))).toContain('No content is available.');
      expect(await texts(where(tema('manual', '!=')))).not.toMatch(/27 días/);
      for (const validation_mode of ['eager', 'lazy']) {
        const said = await refusal({
          tools: ['semantic_search_v1'],
          tool_choice: { type: 'auto', validation_mode },
          ...where(tema('x', '~~')),
        });
        expect(said.status).toBe(400);
      }
    });
  });

  describe('search', () => {
    it('with a source block for those who know it, and a section of text for each passage (§search-result)', async () => {
      const cited = { text: '', citations: { enabled: true }, extensions: ['zylon'] };
      const result = await searched({ tool_context: [ingested()], system: cited });
      expect(result.is_error).toBe(false);
      const [source, words] = result.content as any[];
      expect(source).toMatchObject({
        type: 'source',
        sources: [{ object: 'context.chunk', document: { artifact: 'manual' } }, {}],
      });
      for (const { score } of source.sources) expect(score >= -0.01 && score <= 1.01).toBe(true);
      expect(words.text).toMatch(/^Citation identifier \[[A-Z0-9]{4}\]\n---\nContent:\n[^]*27 días[^]*\n===/);
      const plain = await searched({ tool_context: [ingested()] });
      expect(plain.content).toMatchObject([
        { type: 'text', text: expect.stringMatching(/^---\nContent:\n[^]*27 días/) },
      ]);
    });

    it('and say so where nothing is found, with an empty source block (§search-nothing)', async () => {
      const result = await searched({
        tool_context: [ingested({ collection: 'vacía' })],
        system: { text: '', extensions: ['zylon'] },
      });
      expect(result).toMatchObject({
        is_error: false,
        content: [
          { type: 'source', sources: [] },
          { type: 'text', text: 'No content is available.' },
        ],
      });
    });

    it('under conditions on what the server knows of an artifact (§context-file-id)', async () => {
      for (const key of ['file_id', 'artifact_id']) {
        const metadata_filter = [{ key, operator: '==', value: 'horario' }];
        const result = await searched({
          tool_context: [ingested({ artifacts: ['manual', 'horario'], metadata_filter })],
        });
        expect(JSON.stringify(result.content)).toMatch(/oficina/);
        expect(JSON.stringify(result.content)).not.toMatch(/27 días/);
      }
    });

    it('by arguments without those that are null (§arguments-nulls)', async () => {
      const result = await searched({ tool_context: [ingested()] }, { query: 'vacaciones', artifacts: null });
      expect([result.is_error, JSON.stringify(result.content)]).toEqual([false, expect.stringMatching(/27 días/)]);
    });
  });

  describe('are checked by their mode', () => {
    const gone = { tool_context: [ingested({ artifacts: ['manual', 'nada'] })] };
    const search = { tools: [{ name: 'buscar', type: 'semantic_search_v1' }] };
    const eager = { type: 'auto', validation_mode: 'eager' };

    it.each(DIALECTS)(
      'eager: what is not there is 400 by name before the model runs: %s (§eager-missing)',
      async (_, headers) => {
        for (const type of ['semantic_search_v1', 'tabular_analysis_v1']) {
          for (const streamed of [false, true]) {
            for (const choice of [eager, { ...eager, type: 'any' }, { ...eager, type: 'tool', name: 'buscar' }]) {
              const tools = [{ name: 'buscar', type }];
              const said = await refusal({ tools, ...gone, tool_choice: choice, stream: streamed }, headers);
              expect([said.status, wordsOf(said)]).toEqual([
                400,
                expect.stringContaining('artifact=nada is not initialized.'),
              ]);
            }
          }
        }
        expect(api.model.requests).toEqual([]);
      },
    );

    it.each(DIALECTS)(
      'lazy, also by default: it is a failed result, and the answer goes on: %s (§lazy-missing §mode-default)',
      async (_, headers) => {
        for (const tool_choice of [undefined, { type: 'auto' }, { type: 'auto', validation_mode: 'lazy' }]) {
          api.model.calls('buscar', { query: 'x' }).says('No pude mirar.');
          const { content, stop_reason } = await ask({ ...search, ...gone, tool_choice }, headers);
          expect([content[1], stop_reason]).toMatchObject([
            { is_error: true, content: [{ text: expect.stringContaining('artifact=nada is not initialized.') }] },
            'end_turn',
          ]);
          expect(content[2]).toMatchObject({ text: 'No pude mirar.' });
        }
      },
    );

    it('neither: what matches nothing is empty, not wrong (§mode-empty)', async () => {
      const nothing = [
        ingested({ collection: 'ninguna' }),
        ingested({ metadata_filter: [{ key: 'tema', value: 'x' }] }),
      ];
      for (const context of nothing) {
        for (const validation_mode of ['eager', 'lazy']) {
          const result = await searched({ tool_context: [context], tool_choice: { type: 'auto', validation_mode } });
          expect(result).toMatchObject({ is_error: false, content: [{ text: 'No content is available.' }] });
        }
      }
    });

    it('lazy: a required argument that is missing is a failed result (§mode-arguments)', async () => {
      expect(await searched({ tool_context: [ingested()] }, { query: null })).toMatchObject({
        is_error: true,
        content: [{ text: expect.stringMatching(/^invalid_tool_arguments/) }],
      });
    });
  });

  describe('are called by model servers of every kind', () => {
    const delta = (tool_calls: object[], more: object = {}) => chunk({ delta: { tool_calls }, ...more });
    const call = (index: number, json: unknown, more: object = {}) => ({
      index,
      type: 'function',
      function: { name: 'sumar', arguments: json },
      ...more,
    });
    const done = (finish_reason: string) => [chunk({ delta: {}, finish_reason }), 'data: [DONE]\n\n'];

    it.each<[string, string[], object[]]>([
      ['that stops with stop', [delta([call(0, '{"a":1,"b":2}', { id: 'c1' })]), ...done('stop')], [{ a: 1, b: 2 }]],
      [
        'that writes arguments as an object',
        [delta([call(0, { a: 1, b: 2 }, { id: 'c1' })]), ...done('tool_calls')],
        [{ a: 1, b: 2 }],
      ],
      [
        'that writes arguments as a string in a string',
        [delta([call(0, JSON.stringify('{"a":1,"b":2}'), { id: 'c1' })]), ...done('tool_calls')],
        [{ a: 1, b: 2 }],
      ],
      ['that gives no id', [delta([call(0, '{"a":1,"b":2}')]), ...done('tool_calls')], [{ a: 1, b: 2 }]],
      [
        'that gives an empty id',
        [delta([call(0, '{"a":1,"b":2}', { id: '' })]), ...done('tool_calls')],
        [{ a: 1, b: 2 }],
      ],
      [
        'that gives a wild id',
        [delta([call(0, '{"a":1,"b":2}', { id: 'x y/z:€' })]), ...done('tool_calls')],
        [{ a: 1, b: 2 }],
      ],
      [
        'that gives one id twice',
        [delta([call(0, '{"a":1,"b":2}', { id: 'c' }), call(1, '{"a":3,"b":4}', { id: 'c' })]), ...done('tool_calls')],
        [
          { a: 1, b: 2 },
          { a: 3, b: 4 },
        ],
      ],
      [
        'that writes numbers as text',
        [delta([call(0, '{"a":"1","b":"2"}', { id: 'c1' })]), ...done('tool_calls')],
        [{ a: 1, b: 2 }],
      ],
      [
        'that mixes two calls',
        [
          delta([call(0, '{"a":1', { id: 'c1' })]),
          delta([call(1, '{"a":3', { id: 'c2' })]),
          delta([{ index: 0, function: { arguments: ',"b":2}' } }]),
          delta([{ index: 1, function: { arguments: ',"b":4}' } }]),
          ...done('tool_calls'),
        ],
        [
          { a: 1, b: 2 },
          { a: 3, b: 4 },
        ],
      ],
      ['that gives no reason', [delta([call(0, '{"a":1,"b":2}', { id: 'c1' })]), 'data: [DONE]\n\n'], [{ a: 1, b: 2 }]],
    ])(
      '%s, and the call is right (§server-forms §stop-tool-use §arguments-object §usage-missing)',
      async (_, frames, inputs) => {
        for (const streamed of [false, true]) {
          api.model.sends(frames);
          const answer = streamed ? await stream({ tools: [sumar] }) : await ask({ tools: [sumar] });
          expect(answer.content.map((block) => block.type === 'tool_use' && block.input)).toEqual(inputs);
          const ids = answer.content.map((block) => block.type === 'tool_use' && block.id) as string[];
          for (const id of ids) expect(id).toMatch(/^[a-zA-Z0-9_-]+$/);
          expect(new Set(ids).size).toBe(inputs.length);
          if ('stop_reason' in answer) {
            expect(answer.stop_reason).toBe('tool_use');
            expect(answer.usage.input_tokens).toBeGreaterThan(0);
            expect(answer.usage.output_tokens).toBeGreaterThan(0);
          }
        }
      },
    );

    it('that say tool_calls and call nothing, and the answer has ended (§stop-tool-use)', async () => {
      api.model.sends([chunk({ delta: { content: 'Son 3.' } }), ...done('tool_calls')]);
      expect(await ask({ tools: [sumar] })).toMatchObject({ content: [{ text: 'Son 3.' }], stop_reason: 'end_turn' });
    });

    it('that call a tool of the server last, and the answer has ended (§stop-tool-use)', async () => {
      api.model.calls('buscar', { query: 'x' }).says('27.');
      const tools = [{ name: 'buscar', type: 'semantic_search_v1' }, sumar];
      expect((await ask({ tools, tool_context: [ingested()] })).stop_reason).toBe('end_turn');
    });
  });

  it('are bent to their schema where nothing is lost (§arguments-coerced)', async () => {
    const properties = {
      entero: { type: 'integer' },
      número: { type: 'number' },
      sí: { type: 'boolean' },
      lista: { type: 'array', items: { type: 'integer' } },
      objeto: { type: 'object' },
      texto: { type: ['string', 'integer'] },
      nulo: { type: ['integer', 'null'] },
      vacío: { type: ['string', 'null'] },
      falta: { type: ['string', 'null'] },
      libre: {},
    };
    api.model.calls('bend', {
      entero: '7',
      número: '2.5',
      sí: 'true',
      lista: '["1"]',
      objeto: '{"a":1}',
      texto: '42',
      nulo: 'null',
      vacío: '',
      libre: '{"b":[1]}',
      otro: '9',
    });
    expect(
      (await ask({ tools: [{ name: 'bend', input_schema: { type: 'object', properties } }] })).content,
    ).toMatchObject([
      {
        input: {
          entero: 7,
          número: 2.5,
          sí: true,
          lista: [1],
          objeto: { a: 1 },
          texto: '42',
          nulo: null,
          vacío: null,
          falta: null,
          libre: { b: [1] },
          otro: '9',
        },
      },
    ]);
  });

  it('say what is wrong where a question is wrong, and the question goes on', async () => {
    api.model.callsAll({ name: 'nada', input: {} }, { name: 'sumar', input: { a: 1, b: 2 } });
    const { content, stop_reason } = await ask({ tools: [sumar], messages: [QUESTION] });
    expect([content.map(({ type }) => type).sort(), stop_reason]).toEqual([
      ['tool_result', 'tool_use', 'tool_use'],
      'tool_use',
    ]);
  });
});
