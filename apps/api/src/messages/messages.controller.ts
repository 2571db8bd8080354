import type { Caller } from '@app/access';
import { messageSchema, messagesRequestSchema, streamEventSchema, type MessagesRequest } from '@app/contract';
import { collectMessage, MessagesService } from '@app/messages';
import { CONFIG, LOGGER, type Config, type Logger } from '@app/platform';
import { Body, Controller, Inject, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { CurrentCaller } from '../http/access.guard';
import { Answers } from '../http/answers';
import { dialectOf } from '../http/dialect';
import { Endpoint } from '../http/endpoint';
import { sendEvents } from '../http/sse';
import { StreamClock } from '../http/stream-clock';

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

  private sinkOptions(answer: ReturnType<Answers['begin']>, requestId: string) {
    return {
      answer,
      requestId,
      clock: this.clock,
      stalledReaderMs: this.config.http.stalledReaderMs,
      onError: (error: unknown) => this.logger.warn({ err: error, requestId }, 'A stream ended in an error'),
    };
  }
}
