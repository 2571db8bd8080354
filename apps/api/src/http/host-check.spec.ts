import type { Config } from '@app/platform';
import type { FastifyRequest } from 'fastify';
import { hostCheck } from './host-check';

const check = (
  config: { profile: 'local' | 'server'; host?: string; hosts?: string[] },
  host: string,
  address = '10.0.0.5',
) =>
  hostCheck({
    profile: config.profile,
    http: { host: config.host ?? '127.0.0.1', hosts: config.hosts ?? [] },
  } as any as Config)({
    headers: { host },
    socket: { localAddress: address },
  } as any as FastifyRequest);

describe('the host that a request is for', () => {
  it.each(['localhost', 'localhost:8080', '127.0.0.1:8080', '127.9.9.9', '[::1]:8080', 'LOCALHOST'])(
    'may always be this machine: %s',
    (host) => expect(() => check({ profile: 'local' }, host)).not.toThrow(),
  );

  it.each([
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '127.0.0.1@evil.example',
    '',
    '10.0.0.6',
    'localhost:x',
  ])('may not be another: %j', (host) =>
    expect(() => check({ profile: 'local' }, host)).toThrow(/does not answer to the host/),
  );

  it('may be the address at which the connection came in, and the names of SERVER_HOSTS', () => {
    const config = { profile: 'server', host: '0.0.0.0', hosts: ['api.example'] } as const;
    const call = (host: string, address?: string) => check({ ...config, hosts: [...config.hosts] }, host, address);
    expect(() => call('api.example:443')).not.toThrow();
    expect(() => call('10.0.0.5:8080')).not.toThrow();
    expect(() => call('10.0.0.5:8080', '::ffff:10.0.0.5')).not.toThrow();
    expect(() => call('other.example')).toThrow(/SERVER_HOSTS/);
  });
});
