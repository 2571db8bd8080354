/**
 * One line in the log for each request, however it ends; none of its bodies, and no query, which may name anything.
 *
 * Fastify tells of answers that were sent. Most of what goes wrong in practice is a caller that leaves before that.
 */
import type { Logger } from '@app/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from './access.guard';

type Socket = FastifyRequest['socket'];

/** As nginx has it: the caller closed the connection before the answer was complete. */
const CALLER_LEFT = 499;

export class RequestLog {
  /** Connections on which a request is being answered. */
  private readonly busy = new WeakSet<Socket>();

  constructor(private readonly logger: Logger) {}

  /** Writes the line when the answer has left or the caller is gone. To be called once, as early as possible. */
  follow(request: FastifyRequest, reply: FastifyReply): void {
    const began = performance.now();
    const { raw: response } = reply;
    const { socket } = request;
    const over = () => {
      this.busy.delete(socket);
      this.write(request, {
        status: response.writableFinished ? response.statusCode : CALLER_LEFT,
        ms: Math.round(performance.now() - began),
      });
    };
    this.busy.add(socket);
    response.once('close', over);
  }

  /** What never became a request. What broke in the middle of one has the line of that one. */
  broken(socket: Socket, refusal: { readonly requestId: string; readonly status: number }): void {
    if (!this.busy.has(socket)) this.logger.info(refusal, 'Request');
  }

  private write(request: FastifyRequest, { status, ms }: { readonly status: number; readonly ms: number }): void {
    const path = request.url.split('?', 1)[0]!;
    const level = path.startsWith('/health') ? 'debug' : 'info';
    if (!this.logger.isLevelEnabled(level)) return;
    const { organisation, keyId: key } = callerOf(request) ?? {};
    this.logger[level](
      { requestId: request.id, method: request.method, path, status, ms, organisation, key },
      'Request',
    );
  }
}
