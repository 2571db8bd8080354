import type { FastifyRequest } from 'fastify';

/** Who sends `anthropic-version` is an Anthropic client, everybody else is native (architecture §6, decision 1). */
export const dialectOf = (request: FastifyRequest): 'native' | 'anthropic' =>
  request.headers['anthropic-version'] === undefined ? 'native' : 'anthropic';
