import { loadConfig } from '@app/platform';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FakeModelServer } from '../../../../test/support/fake-model-server';
import { findModelServer } from './discovery';

describe('findModelServer', () => {
  let first: FakeModelServer;
  let second: FakeModelServer;
  beforeEach(async () => {
    first = await FakeModelServer.start();
    second = await FakeModelServer.start();
  });
  afterEach(() => Promise.all([first.stop(), second.stop()]));

  const find = (environment: Record<string, string> = {}) =>
    findModelServer(loadConfig(environment), [
      { product: 'First', port: first.port },
      { product: 'Second', port: second.port },
    ]);

  it('takes the configured server without asking anybody', async () => {
    expect(await find({ OPENAI_BASE_URL: 'http://models.example/v1' })).toEqual({
      baseUrl: 'http://models.example/v1',
    });
    expect([first.connections, second.connections]).toEqual([0, 0]);
  });

  it('finds the first one on this machine that lists a model', async () => {
    expect(await find()).toEqual({ baseUrl: first.baseUrl, product: 'First' });
    first.models = [];
    expect(await find()).toEqual({ baseUrl: second.baseUrl, product: 'Second' });
    await second.stop();
    expect(await find()).toBeUndefined();
    second = await FakeModelServer.start();
  });

  it('looks nowhere when that is switched off', async () => {
    expect(await find({ MODEL_DISCOVERY: 'off' })).toBeUndefined();
    expect(first.connections).toBe(0);
  });

  it('never asks its own port', async () => {
    expect(await find({ PORT: String(first.port) })).toMatchObject({ product: 'Second' });
    expect(first.connections).toBe(0);
  });

  it('does not take another server of this product for a model server', async () => {
    first.models = [{ id: 'builtin', owned_by: 'toolwright' }];
    expect(await find()).toMatchObject({ product: 'Second' });
  });

  it('waits for nobody longer than a moment, whatever listens there', async () => {
    await Promise.all([first.stop(), second.stop()]);
    const mute = createServer(() => undefined);
    const other = createServer((_, response) => response.end('<html>not a model server</html>'));
    for (const server of [mute, other]) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const ports = [mute, other].map((server) => ({ product: 'x', port: (server.address() as AddressInfo).port }));
    const asked = Date.now();
    expect(await findModelServer(loadConfig({}), ports)).toBeUndefined();
    expect(Date.now() - asked).toBeLessThan(10_000);
    for (const server of [mute, other]) {
      server.closeAllConnections();
      server.close();
    }
    [first, second] = [await FakeModelServer.start(), await FakeModelServer.start()];
  });
});
