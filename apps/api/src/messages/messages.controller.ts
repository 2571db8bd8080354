import type { Caller } from '@app/access';
import {
  countTokensResponseSchema,
  messageSchema,
  messagesRequestSchema,
  PlatformError,
  streamEventSchema,
  validationResponseSchema,
  type CountTokensResponse,
  type ErrorType,
  type MessagesRequest,
  type ValidationResponse,
} from '@app/contract';
import { collectMessage, MessagesService, StreamRuleError } from '@app/messages';
import { CONFIG, LOGGER, type Config, type Logger } from '@app/platform';
import { Body, Controller, Inject, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { CurrentCaller } from '../http/access.guard';
import { Answers } from '../http/answers';
import { dialectOf } from '../http/dialect';
import { Endpoint } from '../http/endpoint';
import { goneSignal } from '../http/gone-signal';
import { sendEvents } from '../http/sse';
import { StreamClock } from '../http/stream-clock';

/** Errors that say something about the request, rather than about the server's state. */
const REFUSALS = new Set<ErrorType>([
  'invalid_request_error',
  'permission_error',
  'not_found_error',
  'request_too_large',
]);

/** Chooses the sink of an answer; what is in it is decided below. */
@Controller('v1/messages')
export class MessagesController {
  constructor(
    private readonly messages: MessagesService,
    private readonly answers: Answers,
    private readonly clock: StreamClock,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Post()
  @Endpoint({
    summary: 'Answer a conversation, with tools',
    response: messageSchema,
    events: streamEventSchema,
    body: 'messages',
  })
  async create(
    @CurrentCaller() caller: Caller,
    @Body({ schema: messagesRequestSchema }) request: MessagesRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const answer = this.answers.begin(caller, reply.raw);
    try {
      const { signal } = answer;
      const events = this.messages.answer(caller, request, { dialect: dialectOf(reply.request), signal });
      if (request.stream) await sendEvents(reply, events, this.sinkOptions(answer, reply.request.id));
      else void reply.send(await collectMessage(events));
    } catch (error) {
      throw answer.why(error);
    } finally {
      answer.end();
    }
  }

  /** What the body alone can tell is refused before this, as everywhere (messages-api §12.2). */
  @Post('validate')
  @Endpoint({
    summary: 'Check a request without asking the model',
    response: validationResponseSchema,
    body: 'messages',
  })
  async validate(
    @CurrentCaller() caller: Caller,
    @Body({ schema: messagesRequestSchema }) request: MessagesRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ValidationResponse> {
    try {
      await this.messages.validate(caller, request, goneSignal(reply));
      return { valid: true, errors: null };
    } catch (error) {
      if (!(error instanceof PlatformError) || !REFUSALS.has(error.type)) throw error;
      void reply.status(400);
      return { valid: false, errors: [error.message] };
    }
  }

  @Post('count_tokens')
  @Endpoint({ summary: 'Count the tokens of a prompt', response: countTokensResponseSchema, body: 'messages' })
  countTokens(
    @CurrentCaller() caller: Caller,
    @Body({ schema: messagesRequestSchema }) request: MessagesRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CountTokensResponse> {
    return this.messages.countTokens(caller, request, goneSignal(reply));
  }

  private sinkOptions(answer: ReturnType<Answers['begin']>, requestId: string) {
    return {
      answer,
      requestId,
      clock: this.clock,
      stalledReaderMs: this.config.http.stalledReaderMs,
      onError: (error: unknown) => {
        if (error instanceof StreamRuleError) this.logger.error({ err: error, requestId }, 'A stream broke a rule');
        else this.logger.warn({ err: error, requestId }, 'A stream ended in an error');
      },
    };
  }
}
