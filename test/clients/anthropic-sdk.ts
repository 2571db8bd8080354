/** The official TypeScript client, of both major lines: 0.x sends `x-api-key`, 1.x a bearer token and message threads. */
import Anthropic from '@anthropic-ai/sdk';
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import { jsonSchemaOutputFormat } from '@anthropic-ai/sdk/helpers/json-schema';
import AnthropicZero from 'anthropic-sdk-0';
import { betaTool as betaToolZero } from 'anthropic-sdk-0/helpers/beta/json-schema';
import { jsonSchemaOutputFormat as jsonSchemaOutputFormatZero } from 'anthropic-sdk-0/helpers/json-schema';
import {
  run,
  SEARCH,
  type Answer,
  type Ask,
  type Client,
  type Driver,
  type JsonObjectSchema,
  type Ran,
  type Turn,
} from './client';

interface Line {
  readonly Anthropic: typeof Anthropic;
  readonly betaTool: typeof betaTool;
  readonly jsonSchemaOutputFormat: typeof jsonSchemaOutputFormat;
}
const ONE: Line = { Anthropic, betaTool, jsonSchemaOutputFormat };
/** Its types differ from those of 1.x in what nothing here touches. */
const ZERO = {
  Anthropic: AnthropicZero,
  betaTool: betaToolZero,
  jsonSchemaOutputFormat: jsonSchemaOutputFormatZero,
} as unknown as Line;

const driver = (name: string, line: Line, named: { 413: string; 529: string }): Driver => ({
  name,
  structuredWays: ['messages.parse', 'a stream'],
  lists: true,
  failures: {
    400: 'BadRequestError',
    401: 'AuthenticationError',
    404: 'NotFoundError',
    429: 'RateLimitError',
    ...named,
  },
  failure: (thrown) => {
    const { constructor, status, message } = thrown as InstanceType<typeof Anthropic.APIError>;
    return { kind: constructor.name, status, message };
  },
  open: ({ url, key, retries = 0 }) =>
    new SdkClient(new line.Anthropic({ baseURL: url, apiKey: key, maxRetries: retries }), line),
});

export const anthropicSdkOne = driver('@anthropic-ai/sdk 1.x', ONE, {
  413: 'ContentTooLargeError',
  529: 'OverloadedError',
});
export const anthropicSdkZero = driver('@anthropic-ai/sdk 0.x', ZERO, { 413: 'APIError', 529: 'InternalServerError' });

class SdkClient implements Client {
  constructor(
    private readonly client: Anthropic,
    private readonly line: Line,
  ) {}

  async create(ask: Ask): Promise<Answer> {
    return answerOf(await this.client.messages.create({ ...paramsOf(ask), stream: false }, { signal: ask.signal }));
  }

  async stream(ask: Ask): Promise<Answer> {
    const stream = this.client.messages.stream(paramsOf(ask), { signal: ask.signal });
    if (ask.onText) stream.on('text', ask.onText);
    return answerOf(await stream.finalMessage());
  }

  async loop(ask: Ask, { streamed }: { streamed: boolean }): Promise<{ answer: Answer; ran: Ran[] }> {
    const ran: Ran[] = [];
    const tools = ask.tools!.map((tool) =>
      this.line.betaTool({
        name: tool.name,
        description: tool.description,
        inputSchema: tool.schema as JsonObjectSchema & { required: readonly string[] },
        run: (input: unknown) => {
          ran.push({ name: tool.name, input });
          return run(tool, input);
        },
      }),
    );
    const params = { ...paramsOf(ask), tools } as Parameters<Anthropic['beta']['messages']['toolRunner']>[0];
    const runner = this.client.beta.messages.toolRunner({ ...params, stream: streamed });
    return { answer: answerOf((await runner.runUntilDone()) as unknown as Anthropic.Message), ran };
  }

  async structured(ask: Ask, schema: JsonObjectSchema, way: string): Promise<unknown> {
    const format = this.line.jsonSchemaOutputFormat(schema as JsonObjectSchema & { required: readonly string[] });
    const params = { ...paramsOf(ask), output_config: { format } };
    if (way === 'messages.parse') return (await this.client.messages.parse(params)).parsed_output;
    return (await this.client.messages.stream(params).finalMessage()).parsed_output;
  }

  async search(ask: Ask, { streamed }: { streamed: boolean }): Promise<Answer> {
    const params = { ...paramsOf(ask), ...SEARCH } as unknown as Anthropic.MessageCreateParamsNonStreaming;
    return answerOf(
      await (streamed ? this.client.messages.stream(params).finalMessage() : this.client.messages.create(params)),
    );
  }

  async countTokens(ask: Ask): Promise<number> {
    const { max_tokens: _, ...params } = paramsOf(ask);
    return (await this.client.messages.countTokens(params)).input_tokens;
  }

  async models(): Promise<string[]> {
    const ids: string[] = [];
    for await (const { id } of this.client.models.list({ limit: 1 })) ids.push(id);
    return ids;
  }

  async model(id: string): Promise<string> {
    return (await this.client.models.retrieve(id)).display_name;
  }
}

/** A request in the words of the API, as the official clients take it. */
export const paramsOf = (ask: Ask): Anthropic.MessageCreateParamsNonStreaming => ({
  model: ask.model ?? 'default',
  max_tokens: ask.maxTokens ?? 2000,
  messages: ask.conversation.map(messageOf),
  ...(ask.system && { system: ask.system }),
  ...(ask.tools && {
    tools: ask.tools.map(({ name, description, schema }) => ({
      name,
      description,
      input_schema: schema as unknown as Anthropic.Tool.InputSchema,
    })),
  }),
  ...(ask.choice && { tool_choice: choiceOf(ask.choice) }),
  ...(ask.thinking && { thinking: { type: 'enabled', budget_tokens: 1024 } }),
  ...(ask.stopAt && { stop_sequences: [ask.stopAt] }),
});

const choiceOf = (choice: NonNullable<Ask['choice']>): Anthropic.ToolChoice =>
  typeof choice === 'string' ? { type: choice } : { type: 'tool', name: choice.name };

function messageOf(turn: Turn): Anthropic.MessageParam {
  if ('assistant' in turn)
    return { role: 'assistant', content: turn.assistant.replay as Anthropic.ContentBlockParam[] };
  if ('results' in turn) {
    return {
      role: 'user',
      content: turn.results.map(({ id, content, isError }) => ({
        type: 'tool_result',
        tool_use_id: id,
        content,
        ...(isError && { is_error: true }),
      })),
    };
  }
  if (!turn.image) return { role: 'user', content: turn.user };
  return {
    role: 'user',
    content: [
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: turn.image } },
      { type: 'text', text: turn.user },
    ],
  };
}

const ENDINGS: Readonly<Record<string, Answer['ending']>> = {
  end_turn: 'end',
  tool_use: 'tools',
  max_tokens: 'length',
  stop_sequence: 'stop sequence',
};

export function answerOf(message: Anthropic.Message): Answer {
  const blocks = message.content as unknown as Anthropic.Beta.BetaContentBlock[];
  return {
    text: blocks.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    thinking: blocks.map((block) => (block.type === 'thinking' ? block.thinking : '')).join(''),
    calls: blocks.flatMap((block) =>
      block.type === 'tool_use' ? [{ id: block.id, name: block.name, input: block.input }] : [],
    ),
    served: blocks.flatMap((block) =>
      block.type === 'mcp_tool_use' ? [{ ...block, output: outputOf(blocks, block.id) }] : [],
    ),
    ending: ENDINGS[message.stop_reason ?? ''] ?? 'other',
    usage: { input: message.usage.input_tokens, output: message.usage.output_tokens },
    replay: message.content,
  };
}

const outputOf = (blocks: readonly Anthropic.Beta.BetaContentBlock[], id: string): string =>
  blocks
    .flatMap((block) => (block.type === 'mcp_tool_result' && block.tool_use_id === id ? [block.content].flat() : []))
    .map((part) => (typeof part === 'string' ? part : part.text))
    .join('\n');
