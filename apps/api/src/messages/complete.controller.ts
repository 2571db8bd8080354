import type { Caller } from '@app/access';
import {
  completionEventSchema,
  completionRequestSchema,
  completionSchema,
  type CompletionRequest,
} from '@app/contract';
import { collectCompletion, completionEvents, MessagesService, toMessagesRequest } from '@app/messages';
import { CONFIG, LOGGER, type Config, type Logger } from '@app/platform';
import { Body, Controller, Inject, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { CurrentCaller } from '../http/access.guard';
import { Answers } from '../http/answers';
import { dialectOf } from '../http/dialect';
import { Endpoint } from '../http/endpoint';
import { sendEvents } from '../http/sse';
import { StreamClock } from '../http/stream-clock';

/** Text completions, for clients from before the Messages API (messages-api §12.4). */
@Controller('v1/complete')
export class CompleteController {
  constructor(
    private readonly messages: MessagesService,
    private readonly answers: Answers,
    private readonly clock: StreamClock,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Native clients send `stream` without reading a stream; Anthropic clients mean it. */
  @Post()
  @Endpoint({
    summary: 'Complete a prompt (legacy)',
    response: completionSchema,
    events: completionEventSchema,
    body: 'messages',
  })
  async complete(
    @CurrentCaller() caller: Caller,
    @Body({ schema: completionRequestSchema }) request: CompletionRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const asked = toMessagesRequest(request);
    const dialect = dialectOf(reply.request);
    const answer = this.answers.begin(caller, reply.raw);
    try {
      const { signal } = answer;
      const events = completionEvents(this.messages.answer(caller, asked, { dialect, signal }), request);
      if (!request.stream || dialect === 'native') return void reply.send(await collectCompletion(events));
      const requestId = reply.request.id;
      await sendEvents(reply, events, {
        answer,
        requestId,
        clock: this.clock,
        stalledReaderMs: this.config.http.stalledReaderMs,
        onError: (error) => this.logger.warn({ err: error, requestId }, 'A completion ended in an error'),
      });
    } catch (error) {
      throw answer.why(error);
    } finally {
      answer.end();
    }
  }
}
