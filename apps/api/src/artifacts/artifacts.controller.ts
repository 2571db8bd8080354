import type { Caller } from '@app/access';
import {
  deleteBodySchema,
  ingestBodySchema,
  ingestResponseSchema,
  listQuerySchema,
  type IngestBody,
  type IngestedDocument,
  type IngestResponse,
} from '@app/contract';
import { Library } from '@app/knowledge';
import { Embedder } from '@app/models';
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
