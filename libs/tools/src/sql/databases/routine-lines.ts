/** The functions and procedures of a database as lines of the card: those that meet the question's words first. */
import { estimateTokens } from '@app/models';
import type { Catalog, CatalogRoutine } from './catalog';
import { questionTerms } from './question-terms';
import { isPlainName } from './quote-name';
import { TableTerms } from './table-terms';

const MAX_LINES = 100;
const MAX_LINE = 240;

export async function routineLines(
  question: string,
  { routines, schemas }: Catalog,
  maxTokens: number,
): Promise<string[]> {
  const shown = routines.filter(({ schema, name }) => isPlainName(schema) && isPlainName(name));
  if (shown.length === 0) return [];
  const terms = await TableTerms.of(
    shown.map(({ schema, name, comment }) => ({
      schema,
      name,
      comment,
      kind: 'view' as const,
      columns: [],
      primaryKey: [],
      foreignKeys: [],
    })),
  );
  const { scores } = terms.match(questionTerms(question, terms));
  const ranked = [...shown.keys()].sort(
    (one, other) =>
      scores[other]! - scores[one]! || Number(shown[other]!.callable) - Number(shown[one]!.callable) || one - other,
  );
  const lines: string[] = [];
  let tokens = 0;
  for (const place of ranked.slice(0, MAX_LINES)) {
    const line = lineOf(shown[place]!, schemas[0]);
    tokens += estimateTokens(`${line}\n`);
    if (tokens > maxTokens) break;
    lines.push(line);
  }
  return lines;
}

function lineOf({ schema, kind, signature, comment, callable }: CatalogRoutine, first: string | undefined): string {
  const where = schema === first ? '' : `, in schema ${JSON.stringify(schema)}`;
  const told = [
    callable ? 'a query may call it' : 'cannot be called in a query',
    ...(comment ? [`comment: ${JSON.stringify(clean(comment))}`] : []),
  ];
  return `${kind === 'procedure' ? 'PROCEDURE' : 'FUNCTION'} ${clean(signature)} -- ${told.join('; ')}${where}`;
}

function clean(text: string): string {
  const shown = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return shown.length <= MAX_LINE ? shown : `${shown.slice(0, MAX_LINE).toWellFormed()}…`;
}
