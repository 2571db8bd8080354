import { InvalidRequestError } from '@app/contract';
import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { z } from 'zod';
import { bodyIssues } from './body-issues';
import { UnreadBody } from './request-body';

const ROOT: Partial<Record<ArgumentMetadata['type'], string>> = { query: 'query', param: 'path' };

/** Reads the body and checks it, or query and path, by the schema that the parameter names: `@Body({ schema })`. */
@Injectable()
export class SchemaPipe implements PipeTransform {
  /** @throws InvalidRequestError with at most ten things that are wrong. */
  transform(value: unknown, { schema, type }: ArgumentMetadata): unknown {
    if (!(schema instanceof z.ZodType)) return value;
    const root = ROOT[type] ?? 'body';
    return value instanceof UnreadBody
      ? value.json().then((body) => checked(body, schema, root))
      : checked(value, schema, root);
  }
}

function checked(given: unknown, schema: z.ZodType, root: string): unknown {
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  throw new InvalidRequestError(bodyIssues(result.error, root));
}
