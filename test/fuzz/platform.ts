/**
 * The way of an answer through the platform in one process: bytes of a model server in, the text of a stream or a whole
 * message out. Everything between is what ships; only the two sockets are missing.
 */
import { PassThrough, Readable, Writable } from 'node:stream';
import { messagesRequestSchema, PlatformError, text, toErrorBody, type Message } from '@app/contract';
import { collectMessage, MessagesService, type LinkOptions } from '@app/messages';
import type { DocumentTexts } from '@app/knowledge';
import type { ModelCatalog, Tokenizer } from '@app/models';
import type { EndpointStream, StopSignal } from '@app/platform';
import { defineTool, ToolError, Toolkit, type SchemaCheck } from '@app/tools';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { Answers } from '../../apps/api/src/http/answers';
import { sendEvents } from '../../apps/api/src/http/sse';
import { StreamClock } from '../../apps/api/src/http/stream-clock';
import type { ModelServer } from '../../libs/models/src/chat/openai-compatible/model-server';
import { OpenAiChatModel } from '../../libs/models/src/chat/openai-compatible/openai-chat-model';
import { handle } from '../../libs/tools/src/custom/schema-check.task';
import type { Folded } from './well-formed';

const CALLER = { organisationId: 'o', organisation: 'default', scopes: ['read'] as const };

export interface Pieces {
  readonly pieces: readonly Buffer[];
  /** Whether the connection breaks after the last piece. */
  readonly breaks: boolean;
  /** Every so many pieces one comes late; 0: none. */
  readonly late: number;
}

export interface Asked {
  /** Every so many events the reader takes its time; 0: never. */
  readonly slow: number;
  readonly body: Record<string, unknown>;
  readonly anthropic: boolean;
  /** What the model server sends to each call of the model, from 0 on. */
  readonly arriving: (call: number) => Pieces;
}

/** The server's own tool, and all that can become of a run. */
const lookUp = defineTool({
  name: 'lookup',
  description: 'Looks something up.',
  input: z.object({ query: z.string() }),
  needs: null,
  execute: ({ query }) => {
    if (query.length % 7 === 3) throw new ToolError('nothing of the kind');
    if (query.length % 7 === 4) throw new Error('the driver said so');
    return Promise.resolve([
      { type: 'source', sources: [] },
      text(`Found: ${query}`),
      ...(query.length % 7 === 5 ? [text('')] : []),
    ]);
  },
});

const schemas = {
  check: (schema: Record<string, unknown>, value: unknown) => Promise.resolve(handle({ schema, value })),
} as unknown as SchemaCheck;
const toolkit = new Toolkit([lookUp], { warn: () => undefined, error: () => undefined }, schemas, {
  record: () => undefined,
});
/** The requests have none. */
const NO_DOCUMENTS = {} as DocumentTexts;
const NO_LINKS = {} as LinkOptions;
/** Nor do they count. */
const NO_TOKENIZER = {} as Tokenizer;
const answers = new Answers({ http: { maxStreamsPerKey: 10 } } as ConstructorParameters<typeof Answers>[0]);
const clock = new StreamClock();

const INFO = {
  id: 'test-model',
  displayName: 'Test',
  contextTokens: 128_000,
  maxOutputTokens: 4096,
  images: true,
  thinking: true,
  structuredOutput: true,
};

function answering({ body, anthropic, arriving, slow }: Asked, signal: StopSignal) {
  let asked = 0;
  const server = {
    openChat: () => {
      const answer = arriving(asked++);
      return Promise.resolve(streamOf(bodyOf(answer)));
    },
  } as unknown as ModelServer;
  const catalog = { resolve: () => new OpenAiChatModel(server, INFO) } as unknown as ModelCatalog;
  const service = new MessagesService(catalog, toolkit, schemas, NO_DOCUMENTS, NO_LINKS, NO_TOKENIZER);
  const request = messagesRequestSchema.parse(structuredClone(body));
  const events = service.answer(CALLER, request, { dialect: anthropic ? 'anthropic' : 'native', signal });
  // Read without a pause, they are as the server reads them: words may come past the iteration.
  return slow > 0 ? readSlowly(events, slow) : events;
}

/** A body as the door to the model server hands it on. */
function streamOf(body: Readable): EndpointStream {
  return {
    statusCode: 200,
    headers: { 'content-type': 'text/event-stream' },
    read: (reader) =>
      body
        .on('data', (bytes: Buffer) => reader.data(bytes))
        .on('end', () => reader.end())
        .on('error', (error) => reader.failed(error)),
    pause: () => body.pause(),
    resume: () => body.resume(),
    destroy: () => body.destroy(),
  };
}

/** Some pieces are there at once, others a turn of the loop later. */
function bodyOf({ pieces, breaks, late }: Pieces): Readable {
  let at = 0;
  return new Readable({
    read() {
      const piece = pieces[at++];
      const send = () => {
        if (piece) this.push(piece);
        else if (breaks) this.destroy(Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }));
        else this.push(null);
      };
      if (late > 0 && at % late === 0) setImmediate(send);
      else send();
    },
  });
}

/** Some events are looked at for a turn of the loop, while more comes from the model server. */
async function* readSlowly<Event>(events: AsyncIterable<Event>, slow: number): AsyncGenerator<Event, void> {
  let count = 0;
  for await (const event of events) {
    if (++count % slow === 0) await new Promise((resolve) => setImmediate(resolve));
    yield event;
  }
}

export interface Streamed {
  /** The text of the stream, unless the answer was refused before it began. */
  readonly raw?: string;
  readonly refused?: PlatformError;
  /** What was thrown, however it was told. */
  readonly thrown?: unknown;
}

/** The answer as a stream, written by what writes it in the server. */
export async function stream(asked: Asked): Promise<Streamed> {
  const sink = new PassThrough();
  const parts: Buffer[] = [];
  sink.on('data', (part: Buffer) => parts.push(part));
  const ended = new Promise<void>((resolve) => sink.once('close', resolve));
  const raw = Object.assign(sink as Writable, { writeHead: () => raw, flushHeaders: () => undefined });
  const reply = { raw, getHeaders: () => ({}), hijack: () => undefined } as unknown as FastifyReply;
  const answer = answers.begin(CALLER, reply.raw);
  let thrown: unknown;
  try {
    await sendEvents(reply, answering(asked, answer.signal), {
      answer,
      clock,
      requestId: 'req_1',
      stalledReaderMs: 30_000,
      onError: (error) => (thrown = error),
    });
  } catch (error) {
    return { refused: typed(error), thrown: error };
  } finally {
    answer.end();
  }
  await ended;
  return { raw: Buffer.concat(parts).toString('utf8'), thrown };
}

/** The answer as one message, or what it failed with. */
export async function message(asked: Asked): Promise<Folded & { readonly thrown?: unknown }> {
  try {
    return foldedOf(await collectMessage(answering(asked, new AbortController().signal)));
  } catch (thrown) {
    return { ...failed(typed(thrown)), thrown };
  }
}

export const foldedOf = ({ content, stop_reason, stop_sequence, usage }: Message): Folded => ({
  content,
  stopReason: stop_reason,
  stopSequence: stop_sequence,
  usage: usage as unknown as Record<string, number>,
});

export function failed(error: PlatformError): Folded {
  const { type, message: words } = (toErrorBody(error) as { error: { type: string; message: string } }).error;
  return { content: [], error: { type, message: words } };
}

/** @throws what nobody has foreseen: a mistake of ours. */
function typed(thrown: unknown): PlatformError {
  if (!(thrown instanceof PlatformError) || thrown.message === 'Internal error') throw thrown;
  return thrown;
}
