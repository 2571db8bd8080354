import { InvalidRequestError, type ToolContextKind } from '@app/contract';
import { z } from 'zod';
import { defineTool, ToolError, type ContextNeed } from '../tool';

/**
 * A built-in that this server does not run: refused in `eager` mode, explained by its result in `lazy` mode
 * (messages-api §5.1). It asks for its context all the same, so that a request is right or wrong on every server.
 */
function unavailable(name: string, description: string, needs: ContextNeed<ToolContextKind> | null = null) {
  const explanation = `The built-in tool ${name} is not enabled on this server.`;
  return defineTool({
    name,
    description,
    needs,
    input: z.object({ query: z.string().optional(), url: z.string().optional() }),
    check: () => Promise.reject(new InvalidRequestError(explanation)),
    execute: () => Promise.reject(new ToolError(explanation)),
  });
}

/** The built-in tools of the contract that have no implementation here. */
export const unavailableTools = [
  unavailable('database_query', 'Answer questions from a SQL database.', {
    kind: 'sql_database',
    otherwise: 'Database query tool requires at least one SQL database artifact in the tool context.',
  }),
  unavailable('web_search', 'Search the web.'),
];
