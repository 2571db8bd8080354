/**
 * The OpenAPI 3.1 document, made by @nestjs/swagger of what checks and serves the requests: the routes of the
 * controllers, the schemas of their parameters, and what `@Endpoint` says of their answers.
 */
import type { Config } from '@app/platform';
import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { z } from 'zod';
import { version } from '../../../package.json';
import { EVENTS_STATUS } from './http/endpoint';

const SUCCESS = { description: 'Success' };
const DESCRIPTION =
  'A self-hosted Messages API with built-in tools: ingest documents, ask, get answers with checkable citations. ' +
  'A request with an `anthropic-version` header is answered in the Anthropic dialect, every other in the native one. ' +
  'Unknown fields are ignored. The fields of messages, their `tools`, `tool_choice` and `output_config`, and those of ' +
  'completions may also be written in camelCase.';

/** Only what carries `@Endpoint` is told of; health and this document itself are not part of the API. */
export function openApiDocument(app: INestApplication, { http }: Config): OpenAPIObject {
  const head = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Toolwright')
    .setVersion(version)
    .setDescription(DESCRIPTION)
    .addServer('/', 'This server')
    .addServer(http.pathPrefix, 'The same, as clients of the gateway know it')
    .addSecurity('bearer', { type: 'http', scheme: 'bearer' })
    .addSecurity('apiKey', { type: 'apiKey', in: 'header', name: 'x-api-key' })
    .addSecurityRequirements('bearer')
    .addSecurityRequirements('apiKey')
    // In the local profile no key is needed.
    .addSecurityRequirements({})
    .build();
  const document = SwaggerModule.createDocument(app, head, {
    onlyIncludeDecoratedEndpoints: true,
    operationIdFactory: (controller, method) => `${controller.replace(/Controller$/, '').toLowerCase()}_${method}`,
    standardSchemaConverter: schemaConverter(),
  });
  tellOfStreams(document);
  return document;
}

/** Left to itself, @nestjs/swagger would ask zod for OpenAPI 3.0, which loses the discriminators of unions. */
function schemaConverter() {
  const known = new Map<string, string>();
  return (schema: unknown, { schemaType: io }: { schemaType: 'input' | 'output' }) => {
    const {
      $schema: _,
      $defs: components = {},
      ...converted
    } = z.toJSONSchema(schema as z.ZodType, {
      target: 'draft-2020-12',
      io,
      unrepresentable: 'any',
      override,
    });
    // @nestjs/swagger would let the later one win.
    for (const [id, definition] of Object.entries(components)) {
      const text = JSON.stringify(definition);
      if ((known.get(id) ?? text) !== text) throw new Error(`Two different schemas have the id ${id}`);
      known.set(id, text);
    }
    return { schema: converted, components };
  };
}

function override({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodTypes;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}) {
  const { def } = zodSchema._zod;
  if (def.type === 'union' && 'discriminator' in def) jsonSchema.discriminator = { propertyName: def.discriminator };
  // The name of the component, which JSON Schema does not know.
  delete jsonSchema.id;
}

/** A response of @nestjs/swagger has one schema for all its media types; a stream holds events, not the whole answer. */
function tellOfStreams({ paths }: OpenAPIObject): void {
  for (const { get, post } of Object.values(paths)) {
    for (const operation of [get, post]) {
      const responses = (operation?.responses ?? {}) as Record<string, { content?: Record<string, object> }>;
      const { 200: whole, [EVENTS_STATUS]: events } = responses;
      if (!events?.content) continue;
      const stream = { 'text/event-stream': events.content['application/json']! };
      responses[200] = { ...SUCCESS, content: { ...whole?.content, ...stream } };
      delete responses[EVENTS_STATUS];
    }
  }
}
