/** Vercel's AI SDK: the strictest reader of answers and events, and a tool loop of its own. */
import { createAnthropic, type AnthropicProvider } from '@ai-sdk/anthropic';
import {
  APICallError,
  generateObject,
  generateText,
  jsonSchema,
  Output,
  RetryError,
  stepCountIs,
  streamObject,
  streamText,
  tool,
  type FinishReason,
  type LanguageModel,
  type ModelMessage,
  type ToolSet,
} from 'ai';
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

export const aiSdk: Driver = {
  name: 'ai with @ai-sdk/anthropic',
  structuredWays: ['generateObject', 'streamObject', 'a forced tool', 'Output.object'],
  lists: false,
  insists: 'AI_ToolChoiceViolationError',
  failures: {
    400: 'AI_APICallError',
    401: 'AI_APICallError',
    404: 'AI_APICallError',
    413: 'AI_APICallError',
    429: 'AI_APICallError',
    529: 'AI_APICallError',
  },
  failure: (thrown) => {
    const error = RetryError.isInstance(thrown) ? thrown.lastError : thrown;
    const { name, message } = error as Error;
    return { kind: name, message, status: APICallError.isInstance(error) ? error.statusCode : undefined };
  },
  open: ({ url, key, retries = 0 }) => {
    const options = { baseURL: `${url}/v1`, apiKey: key };
    return new AiSdkClient(createAnthropic(options), createAnthropic({ ...options, fetch: withSearch }), retries);
  },
};

/** The AI SDK knows no tool types but its own; its `fetch` is where a request can be given more. */
const withSearch: typeof fetch = (input, init) =>
  fetch(input, { ...init, body: JSON.stringify({ ...JSON.parse(String(init!.body)), ...SEARCH }) });

/** It says for a result of a tool that we ran that it cannot send it back, and sends it. */
const UNFOUNDED = /^provider executed tool result for tool search is not supported$/;

/** A warning tells that something of the conversation was left out or changed on its way: as good as a failure. */
globalThis.AI_SDK_LOG_WARNINGS = ({ warnings }) => {
  for (const warning of warnings) {
    if (warning.type === 'other' && UNFOUNDED.test(warning.message)) continue;
    throw new Error(`The AI SDK warns: ${JSON.stringify(warning)}`);
  }
};

class AiSdkClient implements Client {
  constructor(
    private readonly provider: AnthropicProvider,
    private readonly searching: AnthropicProvider,
    private readonly maxRetries: number,
  ) {}

  async create(ask: Ask): Promise<Answer> {
    return answerOf(await generateText(this.callOf(ask)));
  }

  async stream(ask: Ask): Promise<Answer> {
    return this.streamed(this.callOf(ask), ask.onText);
  }

  async loop(ask: Ask, { streamed }: { streamed: boolean }): Promise<{ answer: Answer; ran: Ran[] }> {
    const ran: Ran[] = [];
    const call = { ...this.callOf(ask), tools: toolsOf(ask, ran), stopWhen: stepCountIs(8) };
    return { answer: streamed ? await this.streamed(call) : answerOf(await generateText(call)), ran };
  }

  async structured(ask: Ask, schema: JsonObjectSchema, way: string): Promise<unknown> {
    const call = this.callOf(ask);
    const wanted = { ...call, schema: jsonSchema(schema as object) };
    switch (way) {
      case 'generateObject':
        return (await generateObject({ ...wanted, ...natively })).object;
      case 'streamObject': {
        const { partialObjectStream, object } = streamObject({ ...wanted, ...natively });
        const pieces: unknown[] = [];
        for await (const piece of partialObjectStream) pieces.push(piece);
        return pieces.length > 0 ? object : undefined;
      }
      case 'a forced tool':
        return (await generateObject(wanted)).object;
      default:
        return (await generateText({ ...call, ...natively, output: Output.object({ schema: wanted.schema }) })).output;
    }
  }

  async search(ask: Ask, { streamed }: { streamed: boolean }): Promise<Answer> {
    const call = this.callOf(ask, this.searching);
    return streamed ? this.streamed(call) : answerOf(await generateText(call));
  }

  private callOf(ask: Ask, provider = this.provider): Call {
    return {
      model: provider(ask.model ?? 'default'),
      messages: ask.conversation.flatMap(messagesOf),
      maxRetries: this.maxRetries,
      maxOutputTokens: ask.maxTokens ?? 2000,
      abortSignal: ask.signal,
      ...(ask.system && { system: ask.system }),
      ...(ask.tools && { tools: toolsOf(ask) }),
      ...(ask.choice && {
        toolChoice:
          ask.choice === 'any'
            ? ('required' as const)
            : ask.choice === 'none'
              ? ('none' as const)
              : { type: 'tool' as const, toolName: ask.choice.name },
      }),
      ...(ask.thinking && {
        providerOptions: { anthropic: { thinking: { type: 'enabled' as const, budgetTokens: 1024 } } },
      }),
      ...(ask.stopAt && { stopSequences: [ask.stopAt] }),
    };
  }

  private async streamed(call: Call & { stopWhen?: ReturnType<typeof stepCountIs> }, onText?: Ask['onText']) {
    const result = streamText({ ...call, onError: () => undefined });
    for await (const part of result.fullStream) {
      if (part.type === 'error') throw part.error;
      if (part.type === 'abort') throw new DOMException('aborted', 'AbortError');
      if (part.type === 'text-delta') onText?.(part.text);
    }
    return answerOf({
      text: await result.text,
      reasoningText: await result.reasoningText,
      toolCalls: await result.toolCalls,
      toolResults: await result.toolResults,
      finishReason: await result.finishReason,
      totalUsage: await result.totalUsage,
      response: await result.response,
    });
  }
}

interface Call {
  model: LanguageModel;
  messages: ModelMessage[];
  maxRetries: number;
  maxOutputTokens: number;
  abortSignal?: AbortSignal;
  system?: string;
  tools?: ToolSet;
  toolChoice?: 'required' | 'none' | { type: 'tool'; toolName: string };
  providerOptions?: { anthropic: { thinking: { type: 'enabled'; budgetTokens: number } } };
  stopSequences?: string[];
}

const natively = { providerOptions: { anthropic: { structuredOutputMode: 'outputFormat' as const } } };

/** With `ran` the SDK runs them; without, calls are handed out. */
const toolsOf = ({ tools }: Ask, ran?: Ran[]): ToolSet =>
  Object.fromEntries(
    tools!.map((one) => {
      const declared = { description: one.description, inputSchema: jsonSchema<unknown>(one.schema as object) };
      const execute = (input: unknown) => {
        ran!.push({ name: one.name, input });
        return run(one, input);
      };
      return [one.name, ran ? tool({ ...declared, execute }) : tool(declared)];
    }),
  );

function messagesOf(turn: Turn): ModelMessage[] {
  if ('assistant' in turn) return turn.assistant.replay as ModelMessage[];
  if ('results' in turn) {
    return [
      {
        role: 'tool',
        content: turn.results.map(({ id, name, content, isError }) => ({
          type: 'tool-result',
          toolCallId: id,
          toolName: name,
          output: { type: isError ? 'error-text' : 'text', value: content },
        })),
      },
    ];
  }
  if (!turn.image) return [{ role: 'user', content: turn.user }];
  return [
    {
      role: 'user',
      content: [
        { type: 'image', image: turn.image, mediaType: 'image/png' },
        { type: 'text', text: turn.user },
      ],
    },
  ];
}

const ENDINGS: Readonly<Partial<Record<FinishReason, Answer['ending']>>> = {
  stop: 'end',
  'tool-calls': 'tools',
  length: 'length',
};

type Generated = Pick<
  Awaited<ReturnType<typeof generateText>>,
  'text' | 'reasoningText' | 'toolCalls' | 'toolResults' | 'finishReason' | 'totalUsage'
> & { readonly response: { readonly messages: readonly ModelMessage[] } };

const answerOf = ({
  text,
  reasoningText,
  toolCalls,
  toolResults,
  finishReason,
  totalUsage,
  response,
}: Generated): Answer => ({
  text,
  thinking: reasoningText ?? '',
  calls: toolCalls.flatMap(({ toolCallId, toolName, input, providerExecuted, invalid }) => {
    if (invalid) throw new Error(`The AI SDK calls ${toolName}(${JSON.stringify(input)}) invalid`);
    return providerExecuted ? [] : [{ id: toolCallId, name: toolName, input: input as unknown }];
  }),
  served: toolCalls
    .filter(({ providerExecuted }) => providerExecuted)
    .map(({ toolCallId, toolName, input }) => ({
      name: toolName.replace(/^mcp\./, ''),
      input: input as unknown,
      output: JSON.stringify(toolResults.find((result) => result.toolCallId === toolCallId)?.output),
    })),
  ending: ENDINGS[finishReason] ?? 'other',
  usage: { input: totalUsage.inputTokens ?? 0, output: totalUsage.outputTokens ?? 0 },
  replay: response.messages,
});
