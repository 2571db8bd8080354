import { loadConfig, createLogger, openDatabase } from '@app/platform';
import { ACCESS_ENTITIES, AccessService } from '@app/access';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MIGRATIONS } from '../migrations';
import { inherited } from '../test/support/start-server';

describe('npm run keys', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'toolwright-keys-'));
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  const keys = async (...args: string[]) => {
    const { NODE_OPTIONS } = process.env;
    // Away from settings of the machine and from the `.env` of whoever runs the tests.
    const options = { cwd: dataDir, env: { ...inherited(), NODE_OPTIONS, DATA_DIR: dataDir } };
    return promisify(execFile)(process.execPath, [require.resolve('./keys'), ...args], options);
  };

  it('makes a key, lists it without itself, and takes it back, with no server running and beside one', async () => {
    const created = await keys(
      'create',
      '--name',
      'nightly job',
      '--org',
      'acme',
      '--scopes',
      'read',
      '--expires',
      '90d',
    );
    const [key, id] = /zgk_(\w{8})_[\w-]{43}/.exec(created.stdout)!;

    const server = await openDatabase(loadConfig({ DATA_DIR: dataDir }), {
      entities: ACCESS_ENTITIES,
      migrations: MIGRATIONS,
      logger: createLogger({ logging: { level: 'silent' } }),
    });
    try {
      const access = new AccessService(server.dataSource, { profile: 'server' });
      const caller = await access.authenticate({ apiKey: key }, '192.0.2.1');
      expect(caller).toMatchObject({ organisation: 'acme', scopes: ['read'] });

      const listed = (await keys('list')).stdout;
      expect(listed).toMatch(new RegExp(`^${id}  acme  read  made \\S+  expires \\S+  "nightly job"\n$`));

      await keys('revoke', id!);
      const later = new AccessService(server.dataSource, { profile: 'server' });
      await expect(later.authenticate({ apiKey: key }, '192.0.2.1')).rejects.toThrow('not valid');
    } finally {
      await server.close();
    }
    expect((await keys('list')).stdout).toContain('revoked');
  });

  it.each(['--help', '-h'])('explains itself, and touches nothing: %s', async (option) => {
    const { stdout } = await keys(option);
    expect(stdout).toContain('Usage:');
    for (const word of ['create', 'list', 'revoke', '--name', '--org', '--scopes', '--expires', 'DATABASE_URL']) {
      expect(stdout).toContain(word);
    }
  });

  it('says what it wants when it is asked wrongly', async () => {
    const said = async (...args: string[]) => {
      const failed = await keys(...args).catch((error: unknown) => error);
      expect(failed).toMatchObject({ code: 1 });
      return (failed as { stderr: string }).stderr;
    };
    expect(await said('create')).toContain('Usage:');
    expect(await said('list', '--nope')).toMatch(/--nope[^]*Usage:/);
    expect(await said('create', '--name', 'x', '--expires', 'soon')).toContain('--expires: a number of days');
    expect(await said('revoke', 'aaaaaaaa')).toContain('There is no key aaaaaaaa');
  });
});
