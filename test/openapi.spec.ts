/** Our OpenAPI document against the published API (facts about it in `fixtures/reference-paths.json`). */
import 'reflect-metadata';
import { loadConfig } from '@app/platform';
import { describeApi } from '../apps/api/src/boot';
import document from '../openapi.json';
import reference from './fixtures/reference-paths.json';

type Schema = Record<string, any>;
interface Shape {
  readonly fields: Record<string, string[]>;
  readonly required: string[];
}

/**
 * The only deviations: fields of the reference that ours does not declare. Each is accepted, like every unknown field,
 * and ignored.
 */
const CACHE = { cache_control: 'prompt caching is the model server’s business' };
const IN_MESSAGES = {
  ...CACHE,
  container: 'there is no code execution',
  context_management: 'clients send it unasked, and do not retry without it',
  inference_geo: 'the server runs where it runs',
  maximum_loaded_skills: 'there are no skills',
};
const IGNORED: Record<string, Record<string, string>> = {
  'POST /v1/messages': IN_MESSAGES,
  'POST /v1/messages/async': IN_MESSAGES,
  'POST /v1/messages/validate': IN_MESSAGES,
  'POST /v1/messages/count_tokens': CACHE,
};

const ours: Schema = document;

const deref = (schema: Schema): Schema =>
  schema.$ref ? deref(ours.components.schemas[schema.$ref.split('/').at(-1)]) : schema;

function typesOf(given: Schema): Set<string> {
  const schema = deref(given);
  const types = new Set<string>([schema.type ?? []].flat());
  for (const branch of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]) {
    for (const type of typesOf(branch)) types.add(type);
  }
  if (schema.const !== undefined || schema.enum) types.add(typeof (schema.const ?? schema.enum[0]));
  // A schema that says nothing takes everything.
  if (Object.keys(schema).every((key) => ['description', 'default', 'id'].includes(key))) types.add('anything');
  return types;
}

function shapesOf(given: Schema): Schema[] {
  const schema = deref(given);
  const branches = schema.anyOf ?? schema.oneOf;
  return branches ? branches.flatMap(shapesOf) : schema.properties ? [schema] : [];
}

const takes = (schema: Schema | undefined, type: string): boolean => {
  if (!schema) return false;
  const types = typesOf(schema);
  return types.has('anything') || types.has(type) || (type === 'integer' && types.has('number'));
};

const operations = Object.entries(ours.paths as Record<string, Record<string, Schema>>).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
);
const known = operations.flatMap(({ name, operation }) => {
  const facts = (reference as any as Record<string, { parameters: any[]; requests: Shape[]; responses: Shape[] }>)[
    name
  ];
  return facts ? [{ name, operation, facts }] : [];
});

describe('the OpenAPI document', () => {
  it('describes every endpoint that a client of this version needs', () => {
    expect(operations.map(({ name }) => name).sort()).toEqual([
      'DELETE /v1/messages/async/{message_id}/delete',
      'GET /v1/artifacts/list',
      'GET /v1/messages/async/{message_id}/status',
      'GET /v1/messages/async/{message_id}/stream',
      'GET /v1/models',
      'GET /v1/models/{model_id}',
      'POST /v1/artifacts/chunked-content',
      'POST /v1/artifacts/content',
      'POST /v1/artifacts/delete',
      'POST /v1/artifacts/ingest',
      'POST /v1/complete',
      'POST /v1/embeddings',
      'POST /v1/messages',
      'POST /v1/messages/async',
      'POST /v1/messages/async/{message_id}/cancel',
      'POST /v1/messages/count_tokens',
      'POST /v1/messages/validate',
      'POST /v1/primitives/search',
      'POST /v1/tools/database-query',
      'POST /v1/tools/semantic-search',
      'POST /v1/tools/tabular-data-analysis',
      'POST /v1/tools/web-fetch',
    ]);
    expect(known).toHaveLength(operations.length);
  });

  it('is the one in openapi.json (npm run openapi writes it anew)', async () => {
    const made = await describeApi(loadConfig({ LOG_LEVEL: 'silent' }));
    expect(JSON.parse(JSON.stringify(made))).toEqual(ours);
  });

  it('tells of whole and streamed answers, and what every refusal looks like', () => {
    const json = (name: string) => ({ 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } });
    expect(ours.paths['/v1/messages'].post.responses).toEqual({
      200: {
        description: 'Success',
        content: { ...json('Message'), 'text/event-stream': { schema: { $ref: '#/components/schemas/StreamEvent' } } },
      },
      default: { description: 'What went wrong', content: json('ErrorBody') },
    });
    expect(ours.paths['/v1/messages/async/{message_id}/stream'].get.responses['200']).toEqual({
      description: 'Success',
      content: { 'text/event-stream': { schema: { $ref: '#/components/schemas/StreamEvent' } } },
    });
    for (const { operation } of operations) {
      expect(Object.keys(operation.responses)).toEqual(['200', 'default']);
      expect(operation.responses.default.content).toEqual(json('ErrorBody'));
    }
  });

  it('says how a key is sent, and that a server may need none', () => {
    expect(ours.openapi).toBe('3.1.0');
    expect(ours.security).toEqual([{ bearer: [] }, { apiKey: [] }, {}]);
    expect(ours.components.securitySchemes).toEqual({
      bearer: { type: 'http', scheme: 'bearer' },
      apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
    });
  });

  it('refers only to what it holds, and tells unions apart by their discriminator', () => {
    const refs = [...JSON.stringify(ours).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref!);
    expect(refs.length).toBeGreaterThan(10);
    for (const ref of refs) expect(ours.components.schemas).toHaveProperty([ref.replace('#/components/schemas/', '')]);
    expect(ours.components.schemas.InputContentBlock.discriminator).toEqual({ propertyName: 'type' });
  });

  describe.each(known)('$name', ({ name, operation, facts }) => {
    it('has the parameters of the reference', () => {
      for (const { name: parameter, in: place, types } of facts.parameters) {
        const own = operation.parameters?.find((one: Schema) => one.name === parameter && one.in === place);
        expect({ parameter, found: own !== undefined }).toEqual({ parameter, found: true });
        // A query has no null: leaving the parameter out is the same.
        const refused = types.filter((type: string) => type !== 'null' && !takes(own.schema, type));
        expect({ parameter, refused }).toEqual({ parameter, refused: [] });
      }
    });

    it('accepts every field that the reference does, and requires none that it does not', () => {
      const content = operation.requestBody?.content['application/json'];
      const shapes = content ? shapesOf(content.schema) : [];
      for (const wanted of facts.requests) {
        // A body without fields says nothing; ours need not be sent.
        if (!content && Object.keys(wanted.fields).length === 0) continue;
        const faults = shapes.map((shape) => requestFaults(name, shape, wanted));
        expect(faults.find((list) => list.length === 0) ?? faults.at(0)).toEqual([]);
      }
    });

    it('answers every field that clients of the reference count on', () => {
      const whole = operation.responses['200'].content['application/json'];
      const shapes = whole ? shapesOf(whole.schema) : [];
      for (const wanted of facts.responses) {
        const missing = wanted.required.filter((field) => !shapes.some((shape) => shape.required?.includes(field)));
        expect(missing).toEqual([]);
      }
    });
  });
});

function requestFaults(name: string, shape: Schema, { fields, required }: Shape): string[] {
  const faults = Object.entries(fields).flatMap(([field, types]) => {
    if (IGNORED[name]?.[field]) return shape.additionalProperties === false ? [`${field} is refused`] : [];
    const refused = types.filter((type) => !takes(shape.properties[field], type));
    return refused.map((type) => `${field} of type ${type} is refused`);
  });
  const more = (shape.required ?? []).filter((field: string) => !required.includes(field) && field !== 'type');
  return [...faults, ...more.map((field: string) => `${field} is required`)];
}
