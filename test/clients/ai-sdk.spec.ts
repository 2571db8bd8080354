/** What only the AI SDK has; `clients.spec.ts` has what every client does. */
import { createAnthropic } from '@ai-sdk/anthropic';
import { generateText, jsonSchema, Output, stepCountIs, streamText, tool, type JSONSchema7 } from 'ai';
import { FakeModelServer } from '../support/fake-model-server';
import { startServer, type TestServer } from '../support/start-server';

let model: FakeModelServer;
let server: TestServer;
let toolwright: ReturnType<typeof createAnthropic>;
beforeAll(async () => {
  model = await FakeModelServer.start({ models: ['big-model'] });
  server = await startServer({ env: { OPENAI_BASE_URL: model.baseUrl } });
  toolwright = createAnthropic({ baseURL: `${server.url}/v1`, apiKey: 'any' });
  globalThis.AI_SDK_LOG_WARNINGS = false;
});
afterAll(async () => {
  await server?.stop();
  await model?.stop();
});
afterEach(() => {
  const { unasked } = model;
  model.forget();
  expect(unasked).toBe(0);
});

const weather = tool({
  description: 'The weather in a city.',
  inputSchema: jsonSchema<{ city: string }>({
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
  }),
  execute: ({ city }) => `Sunny in ${city}, 31 degrees.`,
});
const REPORT: JSONSchema7 = {
  type: 'object',
  properties: { city: { type: 'string' }, degrees: { type: 'integer' } },
  required: ['city', 'degrees'],
  additionalProperties: false,
};

describe('the AI SDK', () => {
  it.each(['outputFormat', 'jsonTool'] as const)(
    'gets a document after it ran a tool: %s (§document-after-tools)',
    async (structuredOutputMode) => {
      const report = { city: 'Madrid', degrees: 31 };
      model
        .calls('get_weather', { city: 'Madrid' })
        .replies(
          structuredOutputMode === 'jsonTool'
            ? { calls: [{ name: 'json', input: report }] }
            : { text: [JSON.stringify(report)] },
        );
      const { output, steps } = await generateText({
        model: toolwright('default'),
        prompt: 'What is the weather in Madrid?',
        tools: { get_weather: weather },
        output: Output.object({ schema: jsonSchema<typeof report>(REPORT) }),
        providerOptions: { anthropic: { structuredOutputMode } },
        stopWhen: stepCountIs(5),
        maxRetries: 0,
      });
      expect(output).toEqual(report);
      expect(steps).toHaveLength(2);
    },
  );

  it('runs the tools whose schema the server knows: shell, editor, memory, computer (§dated-by-client)', async () => {
    const ran: unknown[] = [];
    const execute = (input: unknown) => {
      ran.push(input);
      return 'done';
    };
    const { tools } = toolwright;
    model
      .callsAll(
        { name: 'bash', input: { command: 'ls' } },
        { name: 'str_replace_based_edit_tool', input: { command: 'view', path: '/a' } },
        { name: 'memory', input: { command: 'view', path: '/memories' } },
        { name: 'computer', input: { action: 'screenshot' } },
      )
      .says('All done.');
    const { text } = await generateText({
      model: toolwright('claude-sonnet-4-6'),
      prompt: 'Use all of them.',
      tools: {
        bash: tools.bash_20250124({ execute }),
        str_replace_based_edit_tool: tools.textEditor_20250728({ execute }),
        memory: tools.memory_20250818({ execute }),
        computer: tools.computer_20250124({ displayWidthPx: 100, displayHeightPx: 100, execute }),
      },
      stopWhen: stepCountIs(5),
      maxRetries: 0,
    });
    expect(text).toBe('All done.');
    expect(ran).toHaveLength(4);
    expect(model.requests.at(-1)!.tools.map((declared: any) => declared.function.name)).toEqual([
      'bash',
      'str_replace_based_edit_tool',
      'memory',
      'computer',
    ]);
  });

  it('sends files with its words', async () => {
    model.says('27 days.');
    const { text } = await generateText({
      model: toolwright('default'),
      messages: [
        {
          role: 'user',
          content: [
            {
              type: 'file',
              data: Buffer.from('27 days of leave.').toString('base64'),
              mediaType: 'text/plain',
              filename: 'a.txt',
            },
            { type: 'text', text: 'How many days?' },
          ],
        },
      ],
      maxRetries: 0,
    });
    expect(text).toBe('27 days.');
    expect(JSON.stringify(model.requests.at(-1)!.messages)).toContain('27 days of leave.');
  });

  it('takes the picture that a tool returned, or a note in its place', async () => {
    model.calls('look', {}).says('I see.');
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
    const look = tool({
      inputSchema: jsonSchema<object>({ type: 'object', properties: {} }),
      execute: () => png,
      toModelOutput: ({ output }) => ({
        type: 'content',
        value: [
          { type: 'text', text: 'The screen:' },
          { type: 'image-data', data: String(output), mediaType: 'image/png' },
        ],
      }),
    });
    await generateText({
      model: toolwright('default'),
      prompt: 'Look.',
      tools: { look },
      stopWhen: stepCountIs(3),
      maxRetries: 0,
    });
    expect(JSON.stringify(model.requests.at(-1)!.messages.at(-1))).toMatch(/The screen:[^]*image/);
  });

  it('asks for more than any model can say where nobody sets a limit', async () => {
    model.says('Hello.');
    const { text } = streamText({ model: toolwright('claude-sonnet-4-6'), prompt: 'Hello', temperature: 0.5, topK: 5 });
    expect(await text).toBe('Hello.');
    expect(model.requests.at(-1)!.max_tokens).toBeLessThan(32_768);
  });
});
