import type { Caller } from '@app/access';
import {
  contentBodySchema,
  contentResponseSchema,
  deleteBodySchema,
  ingestBodySchema,
  ingestResponseSchema,
  listQuerySchema,
  type ContentBody,
  type IngestBody,
  type IngestedDocument,
  type IngestResponse,
} from '@app/contract';
import { asMarkdown, asTree, ContentStore, Library, TableStore } from '@app/knowledge';
import { Embedder, estimateTokens } from '@app/models';
import { Body, Controller, Get, Header, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { CurrentCaller, Requires } from '../http/access.guard';
import { Endpoint } from '../http/endpoint';
import { goneSignal } from '../http/gone-signal';

@Controller('v1/artifacts')
export class ArtifactsController {
  constructor(
    private readonly library: Library,
    private readonly embedder: Embedder,
    private readonly contents: ContentStore,
    private readonly tables: TableStore,
  ) {}

  @Post('ingest')
  @Requires('write')
  @Endpoint({ summary: 'Ingest a document into a collection', response: ingestResponseSchema, body: 'ingest' })
  async ingest(
    @CurrentCaller() caller: Caller,
    @Body({ schema: ingestBodySchema }) body: IngestBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<IngestResponse> {
    return this.listOf(await this.library.ingest(caller, body, goneSignal(reply)));
  }

  @Get('list')
  @Endpoint({ summary: 'List the documents of a collection', response: ingestResponseSchema })
  async list(
    @CurrentCaller() caller: Caller,
    @Query({ schema: listQuerySchema }) { collection }: z.infer<typeof listQuerySchema>,
  ): Promise<IngestResponse> {
    return this.listOf(await this.library.list(caller, collection));
  }

  @Post('content')
  @Endpoint({ summary: 'The text of documents, and the reports of their tables', response: contentResponseSchema })
  async content(
    @CurrentCaller() caller: Caller,
    @Body({ schema: contentBodySchema }) { context_filter: filter, format, max_tokens: maxTokens }: ContentBody,
  ) {
    const [texts, tables] = [await this.contents.read(caller, filter), await this.tables.find(caller, filter)];
    const data = texts.map((text) => ({
      artifact_id: text.artifact,
      content: format === 'object' ? asTree(text) : cutToTokens(asMarkdown(text), maxTokens ?? undefined),
      tables: tables.filter(({ artifact }) => artifact === text.artifact).map(({ report }) => report),
    }));
    return { data };
  }

  @Post('delete')
  @Requires('write')
  @Endpoint({ summary: 'Delete a document and all that was made from it', response: z.null() })
  @Header('content-type', 'application/json; charset=utf-8')
  async remove(
    @CurrentCaller() caller: Caller,
    @Body({ schema: deleteBodySchema }) body: z.infer<typeof deleteBodySchema>,
  ): Promise<'null'> {
    await this.library.remove(caller, body);
    // The value null would be sent as no body at all, which is not JSON.
    return 'null';
  }

  private listOf(data: IngestedDocument[]): IngestResponse {
    return { object: 'list', model: this.embedder.id, data };
  }
}

/** The beginning of a text that has no more tokens, cut between words. */
function cutToTokens(text: string, maxTokens: number | undefined): string {
  if (maxTokens === undefined || estimateTokens(text) <= maxTokens) return text;
  let [fits, tooLong] = [0, text.length];
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1;
    if (estimateTokens(text.slice(0, middle)) <= maxTokens) fits = middle;
    else tooLong = middle;
  }
  const cut = text.slice(0, fits);
  return cut.replace(/\S*$/, '').trimEnd() || cut.toWellFormed();
}
