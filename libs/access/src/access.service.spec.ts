import { PlatformError } from '@app/contract';
import { createLogger, loadConfig, openDatabase, type Database } from '@app/platform';
import { MIGRATIONS } from '../../../migrations';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database';
import { AccessService, requireScope } from './access.service';
import { ACCESS_ENTITIES } from './entities';
import { KeyService } from './keys/key.service';

describe('access', () => {
  let server: TestDatabase;
  let database: Database;
  let keys: KeyService;

  beforeAll(async () => {
    server = await createTestDatabase();
    database = await openDatabase(loadConfig({ DATABASE_URL: server.url }), {
      entities: ACCESS_ENTITIES,
      migrations: MIGRATIONS,
      logger: createLogger({ logging: { level: 'silent' } }),
    });
  });
  afterAll(async () => {
    await database.close();
    await server.drop();
  });
  beforeEach(async () => {
    await database.dataSource.query('TRUNCATE api_keys, organisations CASCADE');
    keys = new KeyService(database.dataSource);
  });

  /** A clock that a test moves. */
  let time = Date.now();
  const access = (profile: 'local' | 'server') => new AccessService(database.dataSource, { profile }, () => time);
  const refusal = (attempt: Promise<unknown>) =>
    attempt.then(
      () => 'let in',
      (error: unknown) => (error instanceof PlatformError ? error.type : error),
    );

  describe('in the server profile', () => {
    const ip = '192.0.2.1';

    it('knows a key in every header that clients send one in (§credentials §either-credential)', async () => {
      const { key, info } = await keys.create({ name: 'app', organisation: 'acme', scopes: ['read'] });
      const service = access('server');
      for (const headers of [
        { authorization: `Bearer ${key}` },
        { authorization: `bearer  ${key}` },
        { authorization: `Basic ${key}` },
        { authorization: key },
        { apiKey: key },
        { authorization: 'Bearer stale', apiKey: key },
        { authorization: `Bearer ${key}`, apiKey: 'stale' },
        { apiKey: key, organisation: 'acme' },
      ]) {
        expect(await service.authenticate(headers, ip)).toEqual({
          organisationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
          organisation: 'acme',
          keyId: info.id,
          scopes: ['read'],
        });
      }
    });

    it('refuses no key, a wrong one, an unknown one and half of one', async () => {
      const { key } = await keys.create({ name: 'app' });
      const service = access('server');
      const wrong = key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A');
      const unknown = key.replace(/^zgk_.{8}/, 'zgk_aaaaaaaa');
      for (const apiKey of [undefined, '', wrong, unknown, key.slice(0, 20), `${key}x`, 'sk-ant-api03', "' OR 1=1"]) {
        expect(await refusal(service.authenticate({ apiKey }, ip))).toBe('authentication_error');
      }
    });

    it('refuses the name of an organisation that is not the key’s', async () => {
      const { key } = await keys.create({ name: 'app', organisation: 'acme' });
      await keys.create({ name: 'theirs', organisation: 'rival' });
      const service = access('server');
      for (const organisation of ['rival', 'nobody', 'ACME']) {
        expect(await refusal(service.authenticate({ apiKey: key, organisation }, ip))).toBe('permission_error');
      }
    });

    it('refuses a revoked key within five seconds, and until then does not ask the database again', async () => {
      const { key, info } = await keys.create({ name: 'app' });
      const service = access('server');
      await service.authenticate({ apiKey: key }, ip);
      const asked = jest.spyOn(database.dataSource, 'query');
      for (let i = 0; i < 50; i++) await service.authenticate({ apiKey: key }, ip);
      expect(asked).not.toHaveBeenCalled();
      asked.mockRestore();

      await keys.revoke(info.id);
      time += 4900;
      expect(await refusal(service.authenticate({ apiKey: key }, ip))).toBe('authentication_error');
    });

    it('knows at once whose key was good a moment ago, and nobody else', async () => {
      const { key, info } = await keys.create({ name: 'app', organisation: 'acme' });
      const service = access('server');
      expect(service.known({ apiKey: key })).toBeUndefined();
      const caller = await service.authenticate({ apiKey: key }, ip);
      expect(service.known({ apiKey: key, organisation: 'acme' })).toEqual(caller);
      expect(service.known({ apiKey: key, organisation: 'rival' })).toBeUndefined();
      expect(service.known({ apiKey: 'wrong' })).toBeUndefined();
      expect(service.known({})).toBeUndefined();

      await keys.revoke(info.id);
      time += 4900;
      expect(service.known({ apiKey: key })).toBeUndefined();
    });

    it('asks once for many requests that come at once', async () => {
      const { key } = await keys.create({ name: 'app' });
      const service = access('server');
      const asked = jest.spyOn(database.dataSource, 'query');
      await Promise.all(Array.from({ length: 100 }, () => service.authenticate({ apiKey: key }, ip)));
      expect(asked).toHaveBeenCalledTimes(1);
      asked.mockRestore();
    });

    it('refuses a key from the moment it expires, and says so', async () => {
      time = Date.now();
      const { key } = await keys.create({ name: 'app', expiresAt: new Date(time + 60_000) });
      const service = access('server');
      time += 59_000;
      await service.authenticate({ apiKey: key }, ip);
      time += 1000;
      await expect(service.authenticate({ apiKey: key }, ip)).rejects.toMatchObject({
        type: 'authentication_error',
        explanation: 'The API key has expired.',
      });
    });

    it('lets an address fail twenty times a minute, then makes it wait (SEC-112)', async () => {
      time = Date.now();
      const { key } = await keys.create({ name: 'app' });
      const newcomer = await keys.create({ name: 'newcomer' });
      const service = access('server');
      await service.authenticate({ apiKey: key }, ip);
      for (let i = 0; i < 20; i++) {
        expect(await refusal(service.authenticate({ apiKey: `wrong ${i}` }, ip))).toBe('authentication_error');
      }
      time += 10_000;
      const blocked = await service.authenticate({ apiKey: 'wrong' }, ip).catch((error: unknown) => error);
      expect(blocked).toMatchObject({ type: 'rate_limit_error', retryAfter: 50 });
      expect(await refusal(service.authenticate({ apiKey: newcomer.key }, ip))).toBe('rate_limit_error');
      // Who was let in before goes on, and so does everybody else's address.
      expect(await refusal(service.authenticate({ apiKey: key }, ip))).toBe('let in');
      expect(await refusal(service.authenticate({ apiKey: newcomer.key }, '192.0.2.2'))).toBe('let in');
      time += 50_000;
      expect(await refusal(service.authenticate({ apiKey: 'wrong' }, ip))).toBe('authentication_error');
    });

    it('counts attempts that come at once, and those from one IPv6 network, as one address’s', async () => {
      const service = access('server');
      const refusals = await Promise.all(
        Array.from({ length: 30 }, (_, i) =>
          refusal(service.authenticate({ apiKey: `no ${i}` }, `2001:db8::${i + 1}`)),
        ),
      );
      expect(refusals.filter((each) => each === 'rate_limit_error')).toHaveLength(10);
    });

    it('takes as long to refuse a wrong secret as to refuse an id that does not exist', async () => {
      const { key } = await keys.create({ name: 'app' });
      const wrong = key.slice(0, -2) + (key.endsWith('AA') ? 'BB' : 'AA');
      const unknown = wrong.replace(/^zgk_.{8}/, 'zgk_aaaaaaaa');
      const service = access('server');
      let address = 0;
      const refuse = async (apiKey: string) => {
        const start = process.hrtime.bigint();
        await refusal(service.authenticate({ apiKey }, `10.0.${address >> 8}.${address++ & 255}`));
        return Number(process.hrtime.bigint() - start);
      };
      const median = (of: number[]) => of.sort((a, b) => a - b)[of.length >> 1]!;
      const difference = async () => {
        const times = { wrong: [] as number[], unknown: [] as number[] };
        for (let i = 0; i < 300; i++) {
          times.wrong.push(await refuse(wrong));
          times.unknown.push(await refuse(unknown));
        }
        return Math.abs(Math.log(median(times.wrong) / median(times.unknown)));
      };
      // SEC-110 says five in a hundred, on a machine that does nothing else. What others do on it may part the two once or
      // twice; a secret that is looked at parts them every time.
      let least = Infinity;
      for (let time = 0; time < 5 && least >= Math.log(1.25); time++) least = Math.min(least, await difference());
      expect(least).toBeLessThan(Math.log(1.25));
    });

    it('makes one first key, with every scope, and never another', async () => {
      const made = await Promise.all([keys.ensureBootstrapKey(), keys.ensureBootstrapKey()]);
      const [key] = made.filter((each) => each !== undefined);
      expect(made.filter((each) => each !== undefined)).toHaveLength(1);
      const caller = await access('server').authenticate({ apiKey: key }, ip);
      expect(caller).toMatchObject({ organisation: 'default', scopes: ['read', 'write', 'admin'] });
      await keys.revoke(caller.keyId!);
      expect(await keys.ensureBootstrapKey()).toBeUndefined();
    });
  });

  describe('in the local profile', () => {
    it('lets everybody in, with any credential or none, to the default organisation', async () => {
      const service = access('local');
      const caller = await service.authenticate({}, '127.0.0.1');
      expect(caller).toMatchObject({ organisation: 'default', scopes: ['read', 'write', 'admin'] });
      expect(caller.keyId).toBeUndefined();
      expect(await service.authenticate({ authorization: 'Bearer anything', apiKey: 'dummy' }, '::1')).toEqual(caller);
      expect(service.known({ apiKey: 'dummy' })).toEqual(caller);
      expect(service.known({ organisation: 'never named' })).toBeUndefined();
    });

    it('keeps organisations that x-org names apart, and knows each again', async () => {
      const [acme, rival] = await Promise.all(
        ['acme', 'rival'].map((organisation) => access('local').authenticate({ organisation }, '127.0.0.1')),
      );
      expect(acme!.organisationId).not.toBe(rival!.organisationId);
      const again = await Promise.all(
        Array.from({ length: 5 }, () => access('local').authenticate({ organisation: 'acme' }, '127.0.0.1')),
      );
      expect(new Set(again.map(({ organisationId }) => organisationId))).toEqual(new Set([acme!.organisationId]));
    });

    it('refuses what is not a name, and stores nothing of it', async () => {
      for (const organisation of ['a b', '../etc', 'x'.repeat(64), 'é', '-', 'a\u0000']) {
        const error = await refusal(access('local').authenticate({ organisation }, '127.0.0.1'));
        expect(error).toBe('invalid_request_error');
      }
      expect(await database.dataSource.query('SELECT count(*)::int AS n FROM organisations')).toEqual([{ n: 0 }]);
    });

    it('makes a thousand organisations and no more', async () => {
      await database.dataSource.query(
        "INSERT INTO organisations (name) SELECT 'o' || n FROM generate_series(1, 1000) n",
      );
      const service = access('local');
      expect(await refusal(service.authenticate({ organisation: 'o7' }, '127.0.0.1'))).toBe('let in');
      await expect(service.authenticate({ organisation: 'new' }, '127.0.0.1')).rejects.toThrow(/^limit_exceeded: /);
    });
  });

  describe('keys', () => {
    it('are 256 random bits behind an id, and are in no table', async () => {
      const { key, info } = await keys.create({ name: 'app' });
      expect(key).toMatch(/^zgk_[a-z0-9]{8}_[A-Za-z0-9_-]{43}$/);
      expect(key.split('_')[1]).toBe(info.id);
      const [row] = await database.dataSource.query(
        "SELECT api_keys::text AS text, encode(hash, 'escape') AS hash FROM api_keys",
      );
      expect(row.text + row.hash).not.toContain(key.slice(13));
    });

    it('are listed with everything but themselves', async () => {
      const { info } = await keys.create({ name: 'app', organisation: 'acme', scopes: ['read'] });
      await keys.revoke(info.id);
      expect(await keys.list()).toEqual([{ ...info, revokedAt: expect.any(Date) }]);
      expect(info).toMatchObject({ name: 'app', organisation: 'acme', scopes: ['read'] });
    });

    it('are taken back once or twice, but not when there are none', async () => {
      const { info } = await keys.create({ name: 'app' });
      await keys.revoke(info.id);
      await keys.revoke(info.id);
      expect(await refusal(keys.revoke('aaaaaaaa'))).toBe('not_found_error');
    });

    it.each([
      [{ name: '' }, 'name'],
      [{ name: 'x', scopes: [] }, 'scopes'],
      [{ name: 'x', scopes: ['root' as never] }, 'scopes'],
      [{ name: 'x', expiresAt: new Date(0) }, 'expires'],
      [{ name: 'x', expiresAt: new Date(NaN) }, 'expires'],
      [{ name: 'x', organisation: 'a b' }, 'x-org'],
    ])('are refused when asked for as %j', async (request, named) => {
      await expect(keys.create(request)).rejects.toThrow(named);
      expect(await keys.list()).toEqual([]);
    });
  });

  it('says which scope is missing', () => {
    const caller = { organisationId: '', organisation: '', scopes: ['read'] as const };
    expect(() => requireScope(caller, 'read')).not.toThrow();
    expect(() => requireScope(caller, 'write')).toThrow('The API key lacks the scope "write".');
  });

  it('answers "overloaded", and not where the database is, while that is gone', async () => {
    const gone = Object.assign(new Error('connect ECONNREFUSED 10.1.2.3:5432'), { code: 'ECONNREFUSED' });
    const lost = jest.spyOn(database.dataSource, 'createQueryRunner').mockImplementation(() => {
      throw gone;
    });
    for (const profile of ['local', 'server'] as const) {
      const error = await access(profile)
        .authenticate({ apiKey: 'any' }, '192.0.2.9')
        .catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ type: 'overloaded_error', retryAfter: 1, cause: gone });
      expect((error as PlatformError).message).not.toContain('10.1.2.3');
    }
    lost.mockRestore();
  });
});
