import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;

/** The schemas of one document: those with an id are told once, under it, and referred to everywhere. */
export class SchemaCollection {
  private readonly schemas = new Map<string, JsonSchema>();

  add(id: string, schema: JsonSchema): void {
    const known = this.schemas.get(id);
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`Two different schemas have the id ${id}`);
    }
    this.schemas.set(id, schema);
  }

  /** In alphabetical order, so that the document changes only where the API does. */
  all(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.schemas].sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  /**
   * The schema as the document has it: a reference where it has an id.
   *
   * @param io requests are what a schema takes, responses what it gives.
   */
  convert(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const whole = z.toJSONSchema(schema, {
      target: 'draft-2020-12',
      io,
      unrepresentable: 'any',
      override: discriminate,
    });
    const { $schema: _, $defs = {}, ...rest } = relocated(whole as JsonSchema);
    for (const [id, definition] of Object.entries($defs as Record<string, JsonSchema>)) {
      this.add(id, withoutId(definition));
    }
    return rest;
  }
}

const COMPONENTS = '#/components/schemas/';

/** Tells readers of the document which field decides between the members of a union. */
function discriminate({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodTypes;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}): void {
  const { def } = zodSchema._zod;
  if (def.type === 'union' && 'discriminator' in def) jsonSchema.discriminator = { propertyName: def.discriminator };
}

/** JSON Schema keeps definitions beside the schema; in the document they are components. */
const relocated = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', `"${COMPONENTS}`)) as JsonSchema;

const withoutId = ({ id: _, ...schema }: JsonSchema): JsonSchema => schema;
