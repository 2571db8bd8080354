import type { Caller } from '@app/access';
import {
  asyncMessageCancelledSchema,
  asyncMessageQuerySchema,
  asyncMessageStartedSchema,
  asyncMessageStatusSchema,
  messagesRequestSchema,
  streamEventSchema,
  type AsyncMessageCancelled,
  type AsyncMessageStarted,
  type AsyncMessageStatus,
  type MessagesRequest,
} from '@app/contract';
import { AsyncMessages } from '@app/messages';
import { abortSignalOf, CONFIG, LOGGER, type Config, type Logger } from '@app/platform';
import { Body, Controller, Delete, Get, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { CurrentCaller } from '../http/access.guard';
import { Answers } from '../http/answers';
import { dialectOf } from '../http/dialect';
import { Endpoint } from '../http/endpoint';
import { sendEvents } from '../http/sse';
import { StreamClock } from '../http/stream-clock';

/** Messages that are answered in the background (messages-api §11). */
@Controller('v1/messages/async')
export class AsyncMessagesController {
  constructor(
    private readonly messages: AsyncMessages,
    private readonly answers: Answers,
    private readonly clock: StreamClock,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Post()
  @Endpoint({
    summary: 'Answer a conversation in the background',
    response: asyncMessageStartedSchema,
    body: 'messages',
  })
  async start(
    @CurrentCaller() caller: Caller,
    @Query({ schema: asyncMessageQuerySchema }) query: z.infer<typeof asyncMessageQuerySchema>,
    @Body({ schema: messagesRequestSchema }) body: MessagesRequest,
    @Req() request: FastifyRequest,
  ): Promise<AsyncMessageStarted> {
    const messageId = await this.messages.start(caller, body, {
      dialect: dialectOf(request),
      messageId: query.message_id,
    });
    return { message_id: messageId, status: 'pending', message: 'Request initiated successfully' };
  }

  @Get(':message_id/status')
  @Endpoint({ summary: 'How far a background answer is', response: asyncMessageStatusSchema })
  status(@CurrentCaller() caller: Caller, @Param('message_id') messageId: string): Promise<AsyncMessageStatus> {
    return this.messages.status(caller, messageId);
  }

  /** From the first event on, every time. A reader who leaves does not stop the answer. */
  @Get(':message_id/stream')
  @Endpoint({ summary: 'The events of a background answer, from the first on', events: streamEventSchema })
  async stream(
    @CurrentCaller() caller: Caller,
    @Param('message_id') messageId: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const answer = this.answers.begin(caller, reply.raw);
    const requestId = reply.request.id;
    try {
      const events = await this.messages.stream(caller, messageId, abortSignalOf(answer.signal));
      await sendEvents(reply, events, {
        answer,
        requestId,
        clock: this.clock,
        stalledReaderMs: this.config.http.stalledReaderMs,
        // A message that waits has no events yet, and its readers should know that they are connected.
        commitAfterMs: 0,
        onError: (error) => this.logger.warn({ err: error, requestId }, 'A stream ended in an error'),
      });
    } catch (error) {
      throw answer.why(error);
    } finally {
      answer.end();
    }
  }

  @Post(':message_id/cancel')
  @Endpoint({ summary: 'Stop a background answer; what it has said stays', response: asyncMessageCancelledSchema })
  async cancel(
    @CurrentCaller() caller: Caller,
    @Param('message_id') messageId: string,
  ): Promise<AsyncMessageCancelled> {
    await this.messages.cancel(caller, messageId);
    return { message: 'Stream cancelled successfully', message_id: messageId };
  }

  @Delete(':message_id/delete')
  @Endpoint({ summary: 'Stop a background answer and remove all of it', response: z.null() })
  async remove(
    @CurrentCaller() caller: Caller,
    @Param('message_id') messageId: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.messages.remove(caller, messageId);
    // Nest would send nothing at all for null.
    void reply.header('content-type', 'application/json; charset=utf-8').send('null');
  }
}
