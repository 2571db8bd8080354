import { InvalidRequestError } from '@app/contract';
import { z } from 'zod';
import { defineTool, ToolError } from '../tool';

/**
 * A built-in that this server does not run: refused in `eager` mode, explained by its result in `lazy` mode
 * (messages-api §5.1).
 */
function unavailable(name: string, description: string) {
  const explanation = `The built-in tool ${name} is not enabled on this server.`;
  return defineTool({
    name,
    description,
    needs: null,
    input: z.object({ query: z.string().optional(), url: z.string().optional() }),
    check: () => Promise.reject(new InvalidRequestError(explanation)),
    execute: () => Promise.reject(new ToolError(explanation)),
  });
}

/** The built-in tools of the contract that have no implementation here. */
export const unavailableTools = [unavailable('web_search', 'Search the web.')];
