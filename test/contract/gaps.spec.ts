/**
 * Promises that are not kept yet, each with the test that it would pass.
 *
 * A probe fails the suite when it passes: the promise is kept then, and its `gap` and `.failing` go.
 */
import { contractServer } from './contract-server';

describe('not yet', () => {
  const api = contractServer();
  // However often the model is asked: a probe must not fail for want of an answer.
  beforeAll(() => api.model.always(() => ({ text: ['Sí.'] })));

  it.failing('is a server of MCP that cannot be reached a 400 in its own words (§mcp-servers)', async () => {
    const said = await api.refusal({ mcp_servers: [{ url: 'http://127.0.0.1:1/mcp', name: 'x' }] });
    expect(said.body.detail).toMatch(/^Failed to fetch tools from MCP servers/);
  });
});
