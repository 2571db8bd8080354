import { errorBodySchema } from '@app/contract';
import { applyDecorators, HttpCode } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiDefaultResponse, ApiIncludeEndpoint, ApiOkResponse, ApiOperation, ApiResponse } from '@nestjs/swagger';
import type { z } from 'zod';

export interface EndpointDescription {
  /** One line for the list of endpoints. */
  readonly summary: string;
  /** What a 200 holds. Left out where it is always a stream. */
  readonly response?: z.ZodType;
  /** The events of a 200 that is a stream, for endpoints that can. */
  readonly events?: z.ZodType;
  /** How large a body may be. */
  readonly body?: BodySize;
}

export type BodySize = 'small' | 'messages' | 'ingest';

/** Under which `openApiDocument` looks for the events of a stream, to tell of them under 200 as well. */
export const EVENTS_STATUS = '2XX';

/** Describes a route once: its success is a 200, its body has a limit, and the OpenAPI document tells of both. */
export const Endpoint = ({ summary, response, events, body = 'small' }: EndpointDescription) =>
  applyDecorators(
    HttpCode(200),
    RouteConfig({ body }),
    ApiIncludeEndpoint(),
    ApiOperation({ summary }),
    ...(response ? [ApiOkResponse({ description: 'Success', standardSchema: response })] : []),
    ...(events ? [ApiResponse({ status: EVENTS_STATUS, standardSchema: events })] : []),
    ApiDefaultResponse({ description: 'What went wrong', standardSchema: errorBodySchema }),
  );
