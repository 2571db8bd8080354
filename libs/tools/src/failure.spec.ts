import { PlatformError, type Chunk } from '@app/contract';
import { z } from 'zod';
import { failureOf } from './failure';
import { AUTO, Toolkit } from './toolkit';
import { defineTool, ToolError } from './tool';

const coded = (code: string, message: string) => Object.assign(new Error(message), { code, syscall: 'connect' });

describe('a tool that threw', () => {
  it.each([
    ['a database that refuses', coded('ECONNREFUSED', 'connect ECONNREFUSED /srv/data/.s.PGSQL.5432'), /database cannot be reached .* Try again/],
    ['a database that stops in the middle', coded('57P01', 'terminating connection due to administrator command'), /database cannot be reached/],
    ['a database whose socket is gone', coded('ENOENT', 'connect ENOENT /srv/data/.s.PGSQL.5432'), /database cannot be reached/],
    ['a connection that was cut', new Error('Connection terminated unexpectedly'), /database cannot be reached/],
    ['a full disk', coded('ENOSPC', 'ENOSPC: no space left on device, write /srv/x'), /no room left .* DATA_DIR/],
    ['an embedder that does not know us', new PlatformError('api_error', 'The embeddings server refused our credentials.'), /embeddings server refused/],
  ])('says of %s what is unavailable, without internals, and leaves it in the log', (_, error, words) => {
    const told = failureOf(error);
    expect(told).toEqual({ words: expect.stringMatching(words), isOurs: true });
    expect(told.words).not.toMatch(/srv|ECONN|ENOENT|57P01/);
  }); // prettier-ignore

  it('keeps to itself what nobody foresaw', () => {
    expect(failureOf(new Error('column x of /srv/secret'))).toEqual({ words: 'The tool failed.', isOurs: true });
  });

  it('says what it means for the model as it is, and does not trouble the log', () => {
    expect(failureOf(new ToolError('sql_rejected: COPY'))).toEqual({ words: 'sql_rejected: COPY', isOurs: false });
  });

  it('is a result of its call that names what is away', async () => {
    const logged: unknown[] = [];
    const search = defineTool({
      name: 'semantic_search',
      description: '',
      needs: null,
      input: z.object({}),
      execute: () => Promise.reject(coded('ECONNREFUSED', 'connect ECONNREFUSED /srv/data')),
    });
    const log = { warn: () => {}, error: (fields: object) => logged.push(fields) };
    const toolkit = new Toolkit(
      [search],
      log,
      { check: () => Promise.reject(new Error()) },
      { record: () => undefined },
    );
    const caller = { organisationId: 'o', organisation: 'o', scopes: [] } as never;
    const request = { tools: ['semantic_search_v1'], tool_choice: AUTO, tool_context: undefined };
    const box = await toolkit.open(caller, request, {} as never, new AbortController().signal);
    const call = { id: 'tool_1', name: 'semantic_search', input: {} };
    const result = await box.run(call, new AbortController().signal, (chunk: Chunk) => chunk.id);
    expect(result).toMatchObject({
      is_error: true,
      content: [{ text: expect.stringMatching(/database cannot be reached/) }],
    });
    expect(logged).toHaveLength(1);
  });
});
