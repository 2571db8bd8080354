import { applyDecorators, HttpCode, SetMetadata } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { z } from 'zod';

const ENDPOINT = 'api:endpoint';

export interface EndpointDescription {
  /** One line for the list of endpoints. */
  readonly summary: string;
  readonly description?: string;
  /** What a 200 holds. */
  readonly response: z.ZodType;
  /** The events of a 200 that is a stream, for endpoints that can. */
  readonly events?: z.ZodType;
  /** How large a body may be; see `BODY_LIMITS`. */
  readonly body?: BodySize;
}

export type BodySize = 'small' | 'messages' | 'ingest';

/** Describes a route once: its success is a 200, its body has a limit, and the OpenAPI document tells of both. */
export const Endpoint = (description: EndpointDescription) =>
  applyDecorators(
    HttpCode(200),
    SetMetadata(ENDPOINT, description),
    RouteConfig({ body: description.body ?? 'small' }),
  );

/** The description of a controller's method, where it has one. */
export const endpointOf = (method: object): EndpointDescription | undefined =>
  Reflect.getMetadata(ENDPOINT, method) as EndpointDescription | undefined;
