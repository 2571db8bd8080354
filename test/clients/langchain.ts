/** LangChain's ChatAnthropic, which brings an official client of its own (0.122) and folds streams by itself. */
import { ChatAnthropic, type ChatAnthropicInput } from '@langchain/anthropic';
import {
  AIMessage,
  AIMessageChunk,
  HumanMessage,
  SystemMessage,
  ToolMessage,
  type BaseMessage,
} from '@langchain/core/messages';
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

export const langchain: Driver = {
  name: '@langchain/anthropic',
  structuredWays: ['functionCalling', 'jsonSchema'],
  lists: false,
  // Of a stream it keeps only the block types that it knows, and a tool message's status it does not send.
  hides: ['server-run calls of a stream', 'failed results'],
  failures: {
    400: 'BadRequestError',
    401: 'MODEL_AUTHENTICATION',
    404: 'MODEL_NOT_FOUND',
    413: 'APIError',
    429: 'MODEL_RATE_LIMIT',
    529: 'InternalServerError',
  },
  failure: (thrown) => {
    const {
      constructor,
      lc_error_code: code,
      status,
      message,
    } = thrown as Error & {
      lc_error_code?: string;
      status?: number;
    };
    return { kind: code ?? constructor.name, status, message };
  },
  open: ({ url, key, retries = 0 }) => new LangChainClient({ anthropicApiUrl: url, apiKey: key, maxRetries: retries }),
};

class LangChainClient implements Client {
  constructor(private readonly options: ChatAnthropicInput) {}

  async create(ask: Ask): Promise<Answer> {
    return answerOf(await this.bound(ask).invoke(messagesOf(ask), optionsOf(ask)));
  }

  async stream(ask: Ask): Promise<Answer> {
    let whole: AIMessageChunk | undefined;
    for await (const chunk of await this.bound(ask).stream(messagesOf(ask), optionsOf(ask))) {
      whole = whole ? whole.concat(chunk) : chunk;
      if (chunk.text) ask.onText?.(chunk.text);
    }
    return answerOf(whole!);
  }

  /** Its agents live in a package of their own; this is the loop that its guide shows without them. */
  async loop(ask: Ask, { streamed }: { streamed: boolean }): Promise<{ answer: Answer; ran: Ran[] }> {
    const ran: Ran[] = [];
    let conversation = ask.conversation;
    for (let choice = ask.choice; ; choice = undefined) {
      const step = { ...ask, conversation, choice };
      const answer = await (streamed ? this.stream(step) : this.create(step));
      if (answer.calls.length === 0) return { answer, ran };
      const results = answer.calls.map((call) => {
        ran.push({ name: call.name, input: call.input });
        return {
          ...call,
          content: run(
            ask.tools!.find(({ name }) => name === call.name)!,
            call.input,
          ),
        };
      });
      conversation = [...conversation, { assistant: answer }, { results }];
    }
  }

  async structured(ask: Ask, schema: JsonObjectSchema, way: string): Promise<unknown> {
    const method = way as 'functionCalling' | 'jsonSchema';
    return this.chat(ask)
      .withStructuredOutput({ ...schema }, { method })
      .invoke(messagesOf(ask));
  }

  async search(ask: Ask, { streamed }: { streamed: boolean }): Promise<Answer> {
    const searching = new LangChainClient({ ...this.options, invocationKwargs: SEARCH });
    return streamed ? searching.stream(ask) : searching.create(ask);
  }

  private chat(ask: Ask): ChatAnthropic {
    return new ChatAnthropic({
      ...this.options,
      model: ask.model ?? 'default',
      maxTokens: ask.maxTokens ?? 2000,
      ...(ask.thinking && { thinking: { type: 'enabled', budget_tokens: 1024 } }),
      ...(ask.stopAt && { stopSequences: [ask.stopAt] }),
    });
  }

  private bound(ask: Ask) {
    const chat = this.chat(ask);
    if (!ask.tools) return chat;
    const tools = ask.tools.map(({ name, description, schema }) => ({ name, description, schema: { ...schema } }));
    return chat.bindTools(
      tools.map(({ schema, ...rest }) => ({ ...rest, input_schema: schema as never })),
      ask.choice ? { tool_choice: typeof ask.choice === 'string' ? ask.choice : ask.choice.name } : {},
    );
  }
}

const optionsOf = ({ signal }: Ask) => ({ signal });

const messagesOf = ({ system, conversation }: Ask): BaseMessage[] => [
  ...(system ? [new SystemMessage(system)] : []),
  ...conversation.flatMap(turnOf),
];

function turnOf(turn: Turn): BaseMessage[] {
  if ('assistant' in turn) return [turn.assistant.replay as AIMessage];
  if ('results' in turn) {
    return turn.results.map(
      ({ id, content, isError }) =>
        new ToolMessage({ tool_call_id: id, content, status: isError ? 'error' : 'success' }),
    );
  }
  if (!turn.image) return [new HumanMessage(turn.user)];
  return [
    new HumanMessage({
      content: [
        { type: 'image_url', image_url: { url: `data:image/png;base64,${turn.image}` } },
        { type: 'text', text: turn.user },
      ],
    }),
  ];
}

const ENDINGS: Readonly<Record<string, Answer['ending']>> = {
  end_turn: 'end',
  tool_use: 'tools',
  max_tokens: 'length',
  stop_sequence: 'stop sequence',
};

interface Block {
  readonly type: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: unknown;
  readonly thinking?: string;
  readonly tool_use_id?: string;
  readonly content?: { readonly text?: string }[];
}

function answerOf(message: AIMessage | AIMessageChunk): Answer {
  const blocks = (typeof message.content === 'string' ? [] : message.content) as Block[];
  const { stop_reason } = { ...message.response_metadata, ...message.additional_kwargs } as { stop_reason?: string };
  if (message.invalid_tool_calls?.length) {
    throw new Error(`LangChain calls ${JSON.stringify(message.invalid_tool_calls)} invalid`);
  }
  return {
    text: message.text,
    thinking: blocks.map(({ thinking = '' }) => thinking).join(''),
    calls: (message.tool_calls ?? []).map(({ id, name, args }) => ({ id: id!, name, input: args })),
    served: blocks
      .filter(({ type }) => type === 'mcp_tool_use')
      .map(({ id, name, input }) => ({
        name: name!,
        input,
        output: blocks
          .filter((block) => block.type === 'mcp_tool_result' && block.tool_use_id === id)
          .flatMap(({ content }) => content ?? [])
          .map(({ text }) => text)
          .join('\n'),
      })),
    ending: ENDINGS[stop_reason ?? ''] ?? 'other',
    usage: {
      input: message.usage_metadata?.input_tokens ?? 0,
      output: message.usage_metadata?.output_tokens ?? 0,
    },
    replay: message,
  };
}
