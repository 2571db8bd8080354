import { embeddingsBodySchema, embeddingsResponseSchema, InvalidRequestError } from '@app/contract';
import { Embedder } from '@app/models';
import { Body, Controller, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { Endpoint } from '../http/endpoint';
import { goneSignal } from '../http/gone-signal';

@Controller('v1/embeddings')
export class EmbeddingsController {
  constructor(private readonly embedder: Embedder) {}

  @Post()
  @Endpoint({
    summary: 'Embed texts, one vector for each position',
    response: embeddingsResponseSchema,
    body: 'messages',
  })
  async embed(
    @Body({ schema: embeddingsBodySchema }) { input }: z.infer<typeof embeddingsBodySchema>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<z.infer<typeof embeddingsResponseSchema>> {
    const texts = typeof input === 'string' ? [input] : input;
    refuseEmpty(texts);
    const vectors = await this.embedder.embed(texts, goneSignal(reply));
    return {
      object: 'list',
      model: this.embedder.id,
      data: vectors.map((vector, index) => ({ index, object: 'embedding', embedding: [...vector] })),
    };
  }
}

function refuseEmpty(texts: readonly string[]): void {
  if (texts.length === 0) {
    throw new InvalidRequestError([
      { type: 'value_error', loc: ['body', 'input'], msg: 'Value error, there is nothing to embed' },
    ]);
  }
  const empty = texts.findIndex((text) => text.trim() === '');
  if (empty < 0) return;
  const msg = 'Value error, an empty text cannot be embedded';
  throw new InvalidRequestError([{ type: 'value_error', loc: ['body', 'input', empty], msg }]);
}
