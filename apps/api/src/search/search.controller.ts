import type { Caller } from '@app/access';
import { searchBodySchema, searchResponseSchema, type Chunk, type SearchBody } from '@app/contract';
import { Retriever } from '@app/knowledge';
import { Embedder } from '@app/models';
import { Body, Controller, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { CurrentCaller } from '../http/access.guard';
import { Endpoint } from '../http/endpoint';
import { goneSignal } from '../http/gone-signal';

@Controller('v1/primitives')
export class SearchController {
  constructor(
    private readonly retriever: Retriever,
    private readonly embedder: Embedder,
  ) {}

  @Post('search')
  @Endpoint({ summary: 'Search passages: by meaning, by keywords, or both', response: searchResponseSchema })
  async search(
    @CurrentCaller() caller: Caller,
    @Body({ schema: searchBodySchema }) body: SearchBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<z.infer<typeof searchResponseSchema>> {
    const data = await this.find(caller, body, goneSignal(reply));
    return { object: 'list', model: this.embedder.id, data };
  }

  private async find(caller: Caller, body: SearchBody, signal: AbortSignal): Promise<Chunk[]> {
    const { context_filter: filter, limit } = body;
    const words = 'keywords' in body ? body.keywords.filter((word) => word.trim() !== '') : [];
    const text = 'text' in body ? body.text.trim() : '';
    switch (body.type) {
      case 'semantic_search': {
        if (text === '') return [];
        const { score_threshold: scoreThreshold, expand } = body;
        return this.retriever.search(
          caller,
          { mode: 'semantic', query: text, filter, limit, scoreThreshold, expand },
          signal,
        );
      }
      case 'keywords_search': {
        if (words.length === 0) return [];
        const query = words.join(' ');
        return this.retriever.search(caller, { mode: 'keyword', query, keywords: words, filter, limit }, signal);
      }
      case 'hybrid_search': {
        if (text === '' && words.length === 0) return [];
        const query = text || words.join(' ');
        const keywords = words.length ? words : undefined;
        return this.retriever.search(
          caller,
          { mode: 'hybrid', query, keywords, filter, limit, expand: body.expand },
          signal,
        );
      }
    }
  }
}
