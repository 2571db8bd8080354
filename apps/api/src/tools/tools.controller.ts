import type { Caller } from '@app/access';
import {
  databaseQueryToolBodySchema,
  semanticSearchToolBodySchema,
  tabularAnalysisToolBodySchema,
  text,
  toolResponseSchema,
  webFetchToolBodySchema,
  type Chunk,
  type ContextFilter,
  type ToolSpec,
} from '@app/contract';
import { citationMark } from '@app/knowledge';
import { ModelCatalog } from '@app/models';
import { directCall, semanticSearchResult, Toolkit } from '@app/tools';
import { Body, Controller, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { CurrentCaller } from '../http/access.guard';
import { Endpoint } from '../http/endpoint';
import { goneSignal } from '../http/gone-signal';

type ToolResponse = z.infer<typeof toolResponseSchema>;

const SEMANTIC_SEARCH: ToolSpec = { name: 'semantic_search', type: 'semantic_search_v1' };
const TABULAR_ANALYSIS: ToolSpec = { name: 'tabular_analysis', type: 'tabular_analysis_v1' };
const DATABASE_QUERY: ToolSpec = { name: 'database_query', type: 'database_query_v1' };
const WEB_FETCH: ToolSpec = { name: 'web_fetch', type: 'web_fetch_v1' };
const NOTHING = 'No results found for the query.';
const NO_DATABASE = 'No SQL database artifacts provided.';
const markOf = ({ id }: Chunk) => citationMark(id);

/** The server's own tools, run without a conversation. What a tool cannot do is in its result, never a status. */
@Controller('v1/tools')
export class ToolsController {
  constructor(
    private readonly toolkit: Toolkit,
    private readonly catalog: ModelCatalog,
  ) {}

  @Post('semantic-search')
  @Endpoint({ summary: 'Run the semantic search tool', response: toolResponseSchema })
  async semanticSearch(
    @CurrentCaller() caller: Caller,
    @Body({ schema: semanticSearchToolBodySchema }) body: z.infer<typeof semanticSearchToolBodySchema>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ToolResponse> {
    const { query, context_filter, format } = body;
    const cite = format === 'citations' ? markOf : undefined;
    const { content, is_error } = await this.run(caller, SEMANTIC_SEARCH, query, context_filter, reply, cite);
    const [found] = content;
    // A model is told in other words than a caller is (messages-api §6.1).
    if (found?.type === 'source' && found.sources.length === 0) {
      return { content: semanticSearchResult([], { nothing: NOTHING }), is_error };
    }
    return { content, is_error };
  }

  @Post('tabular-data-analysis')
  @Endpoint({ summary: 'Run the tabular analysis tool', response: toolResponseSchema })
  tabularAnalysis(
    @CurrentCaller() caller: Caller,
    @Body({ schema: tabularAnalysisToolBodySchema }) body: z.infer<typeof tabularAnalysisToolBodySchema>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ToolResponse> {
    return this.run(caller, TABULAR_ANALYSIS, body.query, body.context_filter, reply);
  }

  @Post('database-query')
  @Endpoint({ summary: 'Run the database query tool', response: toolResponseSchema })
  async databaseQuery(
    @CurrentCaller() caller: Caller,
    @Body({ schema: databaseQueryToolBodySchema }) { query, artifacts }: z.infer<typeof databaseQueryToolBodySchema>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ToolResponse> {
    const databases = artifacts.filter(({ type }) => type === 'sql_database');
    if (databases.length === 0) return { content: [text(NO_DATABASE)], is_error: true };
    const signal = goneSignal(reply);
    const request = {
      tools: [{ ...DATABASE_QUERY, context: databases }],
      tool_choice: undefined,
      tool_context: undefined,
    };
    const box = await this.toolkit.open(caller, request, this.catalog.resolve(), signal);
    const { content, is_error } = await box.run(directCall(DATABASE_QUERY.name, { query }), signal);
    return { content, is_error };
  }

  /** The address in the body is the caller's own word, as one in a message is. */
  @Post('web-fetch')
  @Endpoint({ summary: 'Read a web page', response: toolResponseSchema })
  async webFetch(
    @CurrentCaller() caller: Caller,
    @Body({ schema: webFetchToolBodySchema }) { url }: z.infer<typeof webFetchToolBodySchema>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ToolResponse> {
    const signal = goneSignal(reply);
    const request = {
      tools: [WEB_FETCH],
      tool_choice: undefined,
      tool_context: undefined,
      namedUrls: [url],
    };
    const box = await this.toolkit.open(caller, request, this.catalog.resolve(), signal);
    const { content, is_error } = await box.run(directCall(WEB_FETCH.name, { url }), signal);
    return { content, is_error };
  }

  private async run(
    caller: Caller,
    tool: ToolSpec,
    query: string,
    context_filter: ContextFilter,
    reply: FastifyReply,
    cite?: (chunk: Chunk) => string,
  ): Promise<ToolResponse> {
    const signal = goneSignal(reply);
    const spec = { ...tool, context: [{ type: 'ingested_artifact' as const, context_filter }] };
    const request = { tools: [spec], tool_choice: undefined, tool_context: undefined };
    const box = await this.toolkit.open(caller, request, this.catalog.resolve(), signal);
    const { content, is_error } = await box.run(directCall(tool.name, { query }), signal, cite);
    return { content, is_error };
  }
}
