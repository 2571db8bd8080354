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
  async transform(value: unknown, { schema, type }: ArgumentMetadata): Promise<unknown> {
    if (!(schema instanceof z.ZodType)) return value;
    const given = value instanceof UnreadBody ? await value.json() : value;
    const result = schema.safeParse(given);
    if (result.success) return result.data;
    throw new InvalidRequestError(bodyIssues(result.error, ROOT[type] ?? 'body'));
  }
}
