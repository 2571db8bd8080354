/**
 * One line in the log for each request, however it ends; none of its bodies, and no query, which may name anything.
 *
 * Fastify tells of answers that were sent. Most of what goes wrong in practice is a caller that leaves before that.
 */
import type { Logger } from '@app/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { wasCutOff } from './absent-callers';
import { callerOf } from './access.guard';

type Socket = FastifyRequest['socket'];

/** As nginx has it: the connection was closed before all of the answer had left. */
const CALLER_LEFT = 499;

interface Ending {
  readonly status: number;
  readonly ms: number;
  readonly reason?: string;
}

export class RequestLog {
  /** Connections on which a request is being answered. */
  private readonly busy = new WeakSet<Socket>();

  constructor(private readonly logger: Logger) {}

  /** Writes the line when the answer has left or the caller is gone. To be called once, as early as possible. */
  follow(request: FastifyRequest, reply: FastifyReply): void {
    const began = performance.now();
    const { raw: response } = reply;
    const { socket } = request;
    let isWhole = false;
    const over = () => {
      this.busy.delete(socket);
      this.write(request, {
        status: isWhole ? response.statusCode : CALLER_LEFT,
        ms: Math.round(performance.now() - began),
        ...(wasCutOff(response) && { reason: 'the caller did not read the answer' }),
      });
    };
    this.busy.add(socket);
    // Node calls finished, too, what it throws away with a connection that is closed.
    response.once('finish', () => (isWhole = !socket.destroyed));
    response.once('close', over);
  }

  /** What never became a request. What broke in the middle of one has the line of that one. */
  broken(socket: Socket, refusal: { readonly requestId: string; readonly status: number }): void {
    if (!this.busy.has(socket)) this.logger.info(refusal, 'Request');
  }

  private write(request: FastifyRequest, { status, ms, reason }: Ending): void {
    const path = request.url.split('?', 1)[0]!;
    const level = path.startsWith('/health') ? 'debug' : 'info';
    if (!this.logger.isLevelEnabled(level)) return;
    const { organisation, keyId: key } = callerOf(request) ?? {};
    this.logger[level](
      { requestId: request.id, method: request.method, path, status, ms, organisation, key, reason },
      'Request',
    );
  }
}
