import type { Caller } from '@app/access';
import {
  chunkedContentBodySchema,
  chunkedContentResponseSchema,
  contentBodySchema,
  contentResponseSchema,
  deleteBodySchema,
  ingestBodySchema,
  ingestResponseSchema,
  listQuerySchema,
  TooLargeError,
  type ChunkedContentBody,
  type ChunkedContentResponse,
  type ContentBody,
  type ContentNodeFilter,
  type ContextFilter,
  type IngestBody,
  type IngestedDocument,
  type IngestResponse,
} from '@app/contract';
import {
  asTree,
  checkNodes,
  contentChunks,
  ContentStore,
  filtered,
  Library,
  markdownBlocks,
  TableStore,
} from '@app/knowledge';
import { Embedder, estimateTokens, ModelCatalog } from '@app/models';
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
    private readonly models: ModelCatalog,
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
    @Body({ schema: contentBodySchema }) { context_filter: scope, format, filter, max_tokens: maxTokens }: ContentBody,
  ) {
    const [documents, tables] = [await this.trees(caller, scope, filter), await this.tables.find(caller, scope)];
    if (format === 'object') checkNodes(documents.map(({ tree }) => tree));
    const data = documents.map(({ artifact, tree, whole }) => ({
      artifact_id: artifact,
      content: format === 'object' ? tree : cutToTokens(asMarkdown(tree, whole), maxTokens ?? undefined),
      tables: tables.filter((table) => table.artifact === artifact).map(({ report }) => report),
    }));
    return { data };
  }

  @Post('chunked-content')
  @Endpoint({
    summary: 'The text of documents in chunks that fit into a prompt',
    response: chunkedContentResponseSchema,
  })
  async chunkedContent(
    @CurrentCaller() caller: Caller,
    @Body({ schema: chunkedContentBodySchema }) { context_filter: scope, filter, max_tokens: most }: ChunkedContentBody,
  ): Promise<ChunkedContentResponse> {
    const whole = most ?? this.models.resolve().info.contextTokens;
    const limit = { maxTokens: Math.max(1, Math.floor(whole * CHUNK_SHARE)), count: estimateTokens };
    const data: ChunkedContentResponse['data'] = [];
    for (const { artifact, document, tree, whole } of await this.trees(caller, scope, filter)) {
      for (const chunk of await contentChunks(document, markdownBlocks(tree, whole), limit)) {
        const content = [
          { type: 'source' as const, sources: [chunk] },
          { type: 'text' as const, text: chunk.text },
        ];
        data.push({ artifact_id: artifact, content: content as ChunkedContentResponse['data'][number]['content'] });
      }
    }
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

  private async trees(caller: Caller, scope: ContextFilter, filter: ContentNodeFilter | null | undefined) {
    const texts = await this.contents.read(caller, scope);
    checkSize(texts);
    return texts.map((text) => {
      const whole = asTree(text);
      return { ...text, whole, tree: filter ? filtered(whole, filter) : whole };
    });
  }

  private listOf(data: IngestedDocument[]): IngestResponse {
    return { object: 'list', model: this.embedder.id, data };
  }
}

const MAX_CONTENT = 50 * 1024 * 1024;

/** messages-api §14.5. @throws TooLargeError */
function checkSize(documents: readonly { readonly passages: readonly { readonly text: string }[] }[]): void {
  let size = 0;
  for (const { passages } of documents) for (const { text } of passages) size += text.length;
  if (size <= MAX_CONTENT) return;
  throw new TooLargeError(
    `limit_exceeded: the documents have more than ${MAX_CONTENT / 1024 ** 2} MiB of text. Ask for fewer of them.`,
  );
}

/** Of the tokens that are given, what a chunk has at most (messages-api §14.6). */
const CHUNK_SHARE = 0.9;

const asMarkdown = (...trees: Parameters<typeof markdownBlocks>): string =>
  [...markdownBlocks(...trees)].map(({ text }) => text).join('\n\n');

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
