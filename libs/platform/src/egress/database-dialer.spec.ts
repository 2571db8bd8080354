import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { inNamespace, noNamespace } from '../../../../test/support/namespace';
import { AllowList, parseAllowEntry } from './allow-list';
import { DatabaseDialer } from './database-dialer';
import { DatabasePolicy, type DatabasePlace } from './database-policy';
import { OwnServices } from './own-services';
import { tellSkipped } from '../../../../test/support/skipped';

const reason = noNamespace();
if (reason) tellSkipped(`databases in a network namespace: ${reason}`);

const LOOPBACK = [
  '127.0.0.1:5432',
  'localhost:5432',
  '[::1]:5432',
  '127.0.0.9:5432',
  '0x7f.1:5432',
  '2130706433:5432',
  '[::ffff:127.0.0.1]:5432',
];
const PUBLIC = ['93.184.215.14:5432+tls', '[2606:2800:21f:cb07::1]:5432+tls', 'public.example.com:5432+tls'];
const UNPROTECTED = ['93.184.215.14:5432', 'public.example.com:5432'];
const PRIVATE = [
  '10.9.8.7:5432',
  '0xa090807:5432',
  '168364039:5432',
  '10.591879:5432',
  '[::ffff:10.9.8.7]:5432',
  '192.168.1.1:5432+tls',
  '100.64.0.1:5432',
  '[fd00::7]:5432',
  'private.example.com:5432',
  'unique.example.com:5432+tls',
  'mixed.example.com:5432+tls',
];
const NEVER = [
  '169.254.169.254:5432', '2852039166:5432', 'metadata.example.com:5432+tls', '[fe80::7]:5432', '0.0.0.0:5432', '[::]:5432', '0:5432', '224.0.0.1:5432',
  '255.255.255.255:5432', '[64:ff9b::a09:807]:5432', '[2002:a09:807::]:5432+tls', '[::10.9.8.7]:5432', 'nobody.example.com:5432+tls',
]; // prettier-ignore

const outcomes = (places: readonly string[], outcome: string) =>
  Object.fromEntries(places.map((place) => [place, outcome]));

(reason ? describe.skip : describe)('databases that requests name', () => {
  const all = [...LOOPBACK, ...PUBLIC, ...UNPROTECTED, ...PRIVATE, ...NEVER, 'rebinding.example.com:5432+tls'];
  const ask = (profile: 'local' | 'server', allow: readonly string[] = [], places: readonly string[] = all, own: number[] = []) => ({ profile, allow, places, own }); // prettier-ignore
  const asks = {
    local: ask('local'),
    server: ask('server'),
    own: ask('local', ['127.0.0.0/8:5432'], LOOPBACK, [5432]),
    'own by its entry': ask('local', ['127.0.0.1:5432'], ['127.0.0.1:5432'], [5432]),
    networks: ask('server', ['10.0.0.0/8:5432', '127.0.0.0/8:5432', '169.254.0.0/16:5432', '0.0.0.0/0:5432']),
    'other ports': ask('server', ['10.9.8.7:6000', 'private.example.com:6000'], ['10.9.8.7:5432', '10.9.8.7:6000', 'private.example.com:5432', 'private.example.com:6000']),
    entries: ask('server', ['127.0.0.1:5432', 'localhost:5432', '169.254.169.254:5432', 'private.example.com:5432', '93.184.215.14:5432', 'lost.example.com:5432'],
      [...LOOPBACK, ...UNPROTECTED, '169.254.169.254:5432', 'private.example.com:5432', '10.9.8.7:5432', '93.184.215.14:5432+tls', 'lost.example.com:5432']),
  }; // prettier-ignore
  let told: Record<string, { outcomes: Record<string, string>; connections: Record<string, number> }>;

  beforeAll(() => {
    const answers = inNamespace<(typeof told)[string][]>('namespace-databases.ts', [
      JSON.stringify(Object.values(asks)),
    ]);
    told = Object.fromEntries(Object.keys(asks).map((name, i) => [name, answers[i]!]));
  });

  it('are reached on this machine and in public in the local profile, and nowhere else', () => {
    const { outcomes: came, connections } = told.local!;
    expect(came).toEqual({
      ...outcomes([...LOOPBACK, ...PUBLIC, 'rebinding.example.com:5432+tls'], 'connected'),
      // The system's resolver is not asked here, and this one does not know it.
      'localhost:5432': 'egress_denied',
      ...outcomes([...UNPROTECTED, ...PRIVATE, ...NEVER], 'egress_denied'),
    });
    // Of 10.9.8.7 and its like there was not one connection, not even for the name that changed its address.
    expect(Object.keys(connections).filter((place) => !/^(?:127\.|::1|93\.184|2606:2800)/.test(place))).toEqual([]);
  });

  it('are reached nowhere in the server profile without an entry', () => {
    expect(told.server!.outcomes).toEqual(outcomes(all, 'egress_denied'));
    expect(told.server!.connections).toEqual({});
  });

  it('are not our own services, but by an entry for that very place', () => {
    expect(told.own!.outcomes).toEqual(outcomes(LOOPBACK, 'egress_denied'));
    expect(told.own!.connections).toEqual({});
    expect(told['own by its entry']!.outcomes).toEqual({ '127.0.0.1:5432': 'connected' });
  });

  it('are reached in networks that are listed; this machine and metadata need more than a network', () => {
    const { outcomes: came, connections } = told.networks!;
    const ten = PRIVATE.filter((place) => /10\.|0xa0|1683|private/.test(place) && !place.includes('mixed'));
    expect(Object.keys(came).filter((place) => came[place] === 'connected').sort()).toEqual(
      [...ten, '192.168.1.1:5432+tls', '100.64.0.1:5432', '93.184.215.14:5432+tls', 'public.example.com:5432+tls', 'mixed.example.com:5432+tls', 'rebinding.example.com:5432+tls'].sort(),
    ); // prettier-ignore
    expect(Object.keys(connections).some((place) => /^(?:127|169)\./.test(place))).toBe(false);
  });

  it('are reached by entries at the ports that these name', () => {
    expect(told['other ports']!.outcomes).toEqual({
      '10.9.8.7:5432': 'egress_denied',
      '10.9.8.7:6000': 'connected',
      'private.example.com:5432': 'egress_denied',
      'private.example.com:6000': 'connected',
    });
  });

  it('are reached by entries for a host and port, whatever they are, but in plain text only near by', () => {
    expect(told.entries!.outcomes).toEqual({
      ...outcomes(LOOPBACK, 'connected'),
      '[::1]:5432': 'egress_denied',
      '127.0.0.9:5432': 'egress_denied',
      // Known to the list, and to nobody else.
      'localhost:5432': 'connection_failed',
      'lost.example.com:5432': 'connection_failed',
      ...outcomes(UNPROTECTED, 'egress_denied'),
      '169.254.169.254:5432': 'connected',
      'private.example.com:5432': 'connected',
      '10.9.8.7:5432': 'egress_denied',
      '93.184.215.14:5432+tls': 'connected',
    });
  });
});

describe('dialing a database', () => {
  let server: Server;
  let port: number;
  beforeAll(async () => {
    server = createServer((socket) => socket.on('error', () => undefined).end('hello'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ({ port } = server.address() as AddressInfo);
  });
  afterAll(() => server.close());

  const place = (more: Partial<DatabasePlace> = {}): DatabasePlace => ({ host: 'db.corp', port, tls: false, ...more });
  const signal = new AbortController().signal;
  const dialer = (addresses: () => Promise<string[]>, timeoutMs = 2000) => new DatabaseDialer({ addresses }, timeoutMs);

  it('goes to the next address where one does not answer', async () => {
    const socket = await dialer(() => Promise.resolve(['127.0.0.2', '127.0.0.1'])).dial(place(), signal);
    expect([socket.remoteAddress, socket.listenerCount('error')]).toEqual(['127.0.0.1', 0]);
    socket.destroy();
  });

  it('fails by one token, without an address', async () => {
    const failure = await dialer(() => Promise.resolve(['127.0.0.2']))
      .dial(place(), signal)
      .catch((error) => error);
    expect([failure.token, failure.message]).toEqual(['connection_failed', expect.not.stringMatching(/127|corp/)]);
  });

  it('waits for a name no longer than it may', async () => {
    const failure = await dialer(() => new Promise(() => undefined), 30)
      .dial(place(), signal)
      .catch((error) => error);
    expect(failure).toMatchObject({ token: 'connection_failed', message: expect.stringMatching(/0\.03 seconds/) });
  });

  it('ends with its signal', async () => {
    const gone = new AbortController();
    const dialing = dialer(() => new Promise(() => undefined)).dial(place(), gone.signal);
    gone.abort(new Error('gone'));
    await expect(dialing).rejects.toThrow('gone');
    await expect(dialer(() => Promise.resolve(['127.0.0.1'])).dial(place(), gone.signal)).rejects.toThrow('gone');
  });

  it('is refused by words that name the setting, and nothing of the network', async () => {
    for (const profile of ['local', 'server'] as const) {
      const policy = new DatabasePolicy({
        profile,
        allow: new AllowList([parseAllowEntry('10.0.0.0/8:5432')!]),
        own: new OwnServices(),
        resolve: (name) => (name === 'known.corp' ? Promise.resolve(['172.16.0.1']) : Promise.reject(new Error())),
        setting: 'DATABASE_ALLOW',
      });
      const said = await Promise.all(
        ['known.corp', 'unknown.corp', '172.16.0.1', '169.254.169.254'].map((host) =>
          policy.addresses(place({ host, port: 5432 })).catch((error: Error) => error.message),
        ),
      );
      expect(new Set(said).size).toBe(1);
      expect(said[0]).toMatch(/^egress_denied: .*DATABASE_ALLOW\.$/);
    }
  });
});
