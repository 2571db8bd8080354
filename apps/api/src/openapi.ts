/**
 * The OpenAPI 3.1 document, made from what checks and serves the requests: the routes of the controllers, the schemas
 * of their parameters, and what `@Endpoint` says of their answers.
 */
import { ERROR_TYPES } from '@app/contract';
import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { z } from 'zod';
import { endpointOf, type EndpointDescription } from './http/endpoint';
import { SchemaCollection, type JsonSchema } from './openapi-schemas';

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly security: readonly Record<string, string[]>[];
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, JsonSchema>; readonly securitySchemes: object };
}

interface Operation {
  readonly operationId: string;
  readonly tags: string[];
  readonly summary: string;
  readonly parameters?: JsonSchema[];
  readonly requestBody?: object;
  readonly responses: Record<string, object>;
}

export interface DocumentOptions {
  readonly version: string;
  readonly pathPrefix: string;
}

const DESCRIPTION =
  'A self-hosted Messages API with built-in tools: ingest documents, ask, get answers with checkable citations. ' +
  'A request with an `anthropic-version` header is answered in the Anthropic dialect, every other in the native one. ' +
  'Unknown fields are ignored. Names in snake_case may also be written in camelCase.';

/** Only what carries `@Endpoint` is told of; health and this document itself are not part of the API. */
export function openApiDocument(
  controllers: readonly Type[],
  { version, pathPrefix }: DocumentOptions,
): OpenApiDocument {
  const schemas = new SchemaCollection();
  schemas.add('ErrorBody', ERROR_BODY);
  const paths: OpenApiDocument['paths'] = {};
  for (const route of controllers.flatMap(routesOf)) {
    (paths[route.path] ??= {})[route.method] = operation(route, schemas);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Toolwright', version, description: DESCRIPTION },
    servers: [
      { url: '/', description: 'This server' },
      { url: pathPrefix, description: 'The same, as clients of the gateway know it' },
    ],
    // The empty entry: in the local profile no key is needed.
    security: [{ bearer: [] }, { apiKey: [] }, {}],
    paths,
    components: {
      schemas: schemas.all(),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
      },
    },
  };
}

interface Route {
  readonly path: string;
  readonly method: string;
  readonly tag: string;
  readonly name: string;
  readonly endpoint: EndpointDescription;
  readonly arguments: readonly RouteArgument[];
}

interface RouteArgument {
  readonly kind: RouteParamtypes;
  readonly name?: string;
  readonly schema?: z.ZodType;
}

function routesOf(controller: Type): Route[] {
  const prototype = controller.prototype as Record<string, object>;
  const base = String(Reflect.getMetadata(PATH_METADATA, controller) ?? '');
  return Object.getOwnPropertyNames(prototype).flatMap((name) => {
    const endpoint = endpointOf(prototype[name]!);
    if (!endpoint) return [];
    const own = String(Reflect.getMetadata(PATH_METADATA, prototype[name]!) ?? '');
    const method = Reflect.getMetadata(METHOD_METADATA, prototype[name]!) as RequestMethod;
    return [
      {
        path: `/${[base, own]
          .map((part) => part.replace(/^\/|\/$/g, ''))
          .filter(Boolean)
          .join('/')}`.replace(/:(\w+)/g, '{$1}'),
        method: RequestMethod[method].toLowerCase(),
        tag: controller.name.replace(/Controller$/, ''),
        name,
        endpoint,
        arguments: argumentsOf(controller, name),
      },
    ];
  });
}

/** Nest keeps them under keys of the form `kind:position`. */
function argumentsOf(controller: Type, name: string): RouteArgument[] {
  const kept = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) ?? {}) as Record<
    string,
    { data?: unknown; schema?: unknown }
  >;
  return Object.entries(kept).map(([key, { data, schema }]) => ({
    kind: Number(key.split(':')[0]),
    ...(typeof data === 'string' && { name: data }),
    ...(schema instanceof z.ZodType && { schema }),
  }));
}

function operation(route: Route, schemas: SchemaCollection): Operation {
  const { tag, name, endpoint } = route;
  const body = route.arguments.find(({ kind }) => kind === RouteParamtypes.BODY)?.schema;
  const parameters = parametersOf(route, schemas);
  return {
    operationId: `${tag.toLowerCase()}_${name}`,
    tags: [tag],
    summary: endpoint.summary,
    ...(parameters.length && { parameters }),
    ...(body && { requestBody: { required: true, content: json(schemas.convert(body, 'input')) } }),
    responses: {
      200: {
        description: 'Success',
        content: {
          ...json(schemas.convert(endpoint.response, 'output')),
          ...(endpoint.events && { 'text/event-stream': { schema: schemas.convert(endpoint.events, 'output') } }),
        },
      },
      default: { description: 'What went wrong', content: json({ $ref: '#/components/schemas/ErrorBody' }) },
    },
  };
}

function parametersOf(route: Route, schemas: SchemaCollection): JsonSchema[] {
  const inPath = route.arguments
    .filter(({ kind, name }) => kind === RouteParamtypes.PARAM && name)
    .map(({ name }) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
  const query = route.arguments.find(({ kind }) => kind === RouteParamtypes.QUERY)?.schema;
  const { properties = {}, required = [] } = query ? (schemas.convert(query, 'input') as QuerySchema) : {};
  const inQuery = Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
  return [...inPath, ...inQuery];
}

interface QuerySchema {
  readonly properties?: Record<string, JsonSchema>;
  readonly required?: readonly string[];
}

const json = (schema: JsonSchema) => ({ 'application/json': { schema } });

const EXPLANATION = {
  anyOf: [
    { type: 'string' },
    {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          type: { type: 'string' },
          loc: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'integer' }] } },
          msg: { type: 'string' },
        },
        required: ['type', 'loc', 'msg'],
      },
    },
  ],
};

const ERROR_BODY: JsonSchema = {
  type: 'object',
  properties: {
    type: { type: 'string', const: 'error' },
    error: {
      type: 'object',
      properties: {
        type: { type: 'string', enum: [...ERROR_TYPES] },
        message: { type: 'string' },
        detail: {
          type: 'object',
          properties: { code: { type: 'string' }, explanation: EXPLANATION },
          required: ['code', 'explanation'],
        },
      },
      required: ['type', 'message', 'detail'],
    },
    request_id: { type: ['string', 'null'] },
    exception: {
      type: 'object',
      properties: { type: { type: 'string' }, message: { type: 'string' } },
      required: ['type', 'message'],
    },
    detail: EXPLANATION,
  },
  required: ['type', 'error', 'request_id', 'exception', 'detail'],
};
