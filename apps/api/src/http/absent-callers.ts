/** Callers that have left, or have stopped reading, where Node tells nobody. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

type Socket = FastifyRequest['socket'];
type Response = FastifyReply['raw'];

/** @param stalledReaderMs how long a caller may read nothing of an answer that is complete (SEC-120). */
export function noticeAbsentCallers(server: FastifyInstance['server'], stalledReaderMs: number): void {
  const ahead = new SentAhead();
  const cutOff = cutOffAfter(stalledReaderMs);
  // Before everybody else, so that whoever listens for the close of a response hears it in every case.
  server.prependListener('request', ({ socket }: FastifyRequest['raw'], response: Response) => {
    if (!response.socket) ahead.add(response, socket);
    response.once('prefinish', cutOff);
  });
}

/**
 * Responses whose requests were sent ahead, before the answer to the one in front.
 *
 * They get the connection when it is their turn, and until then do not close with it (SEC-121).
 */
class SentAhead {
  private readonly bySocket = new WeakMap<Socket, Set<Response>>();

  add(response: Response, socket: Socket): void {
    const responses = this.bySocket.get(socket) ?? this.follow(socket);
    responses.add(response);
    response.once('socket', () => responses.delete(response));
  }

  private follow(socket: Socket): Set<Response> {
    const responses = new Set<Response>();
    this.bySocket.set(socket, responses);
    socket.once('close', () => {
      for (const response of responses) response.destroy().emit('close');
    });
    return responses;
  }
}

/** An answer that is complete waits for its reader in the memory of this server, with nobody to watch it any more. */
function cutOffAfter(ms: number) {
  return function (this: Response): void {
    const { socket } = this;
    if (!socket || socket.writableLength === 0) return;
    const onTimeout = () => noteCutOff(this);
    // Node destroys a connection on which nothing moves for so long; one that is read, however slowly, goes on.
    socket.setTimeout(ms);
    socket.prependOnceListener('timeout', onTimeout);
    // Before Node's own listener, which sets how long the connection is kept for the next request.
    this.prependOnceListener('finish', () => socket.off('timeout', onTimeout).setTimeout(0));
  };
}

const cutOffs = new WeakSet<Response>();

/** The connection of this response is closed because its caller has stopped reading. */
export const noteCutOff = (response: Response): void => void cutOffs.add(response);

export const wasCutOff = (response: Response): boolean => cutOffs.has(response);
