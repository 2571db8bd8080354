import type { FastifyReply } from 'fastify';

/** Aborts when the caller hangs up before the answer is complete (SEC-121). */
export function goneSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => raw.writableFinished || gone.abort());
  return gone.signal;
}
