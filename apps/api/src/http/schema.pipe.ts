import { InvalidRequestError, messagesRequestSchema } from '@app/contract';
import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { z } from 'zod';
import { bodyIssues } from './body-issues';
import { UnreadBody } from './request-body';

const ROOT: Partial<Record<ArgumentMetadata['type'], string>> = { query: 'query', param: 'path' };

/** Reads the body and checks it, or query and path, by the schema that the parameter names: `@Body({ schema })`. */
@Injectable()
export class SchemaPipe implements PipeTransform {
  /**
   * What is checked at every answer, as code that zod writes at the start: a fifth of the time of a request. What it
   * does not take is read once more by the schema itself, which says what is wrong with it.
   */
  private readonly compiled = new Map<z.ZodType, z.ZodType>([
    [messagesRequestSchema, z.compile(messagesRequestSchema)],
  ]);

  /** @throws InvalidRequestError with at most ten things that are wrong. */
  transform(value: unknown, { schema, type }: ArgumentMetadata): unknown {
    if (!(schema instanceof z.ZodType)) return value;
    const root = ROOT[type] ?? 'body';
    const fastest = this.compiled.get(schema) ?? schema;
    return value instanceof UnreadBody
      ? value.json().then((body) => checked(body, fastest, root))
      : checked(value, fastest, root);
  }
}

function checked(given: unknown, schema: z.ZodType, root: string): unknown {
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  throw new InvalidRequestError(bodyIssues(result.error, root));
}
