import { readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { inspect } from 'node:util';
import { environmentSchema, loadConfig } from './config';

const exampleFile = readFileSync(join(__dirname, '../../../../.env.example'), 'utf8');
const example = Object.fromEntries(
  [...exampleFile.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name!, value!] as const),
);

describe('the configuration', () => {
  it('needs nothing to be set', () => {
    const config = loadConfig({});
    expect(config).toMatchObject({ profile: 'local', http: { host: '127.0.0.1', port: 8080 } });
    expect(isAbsolute(config.dataDir)).toBe(true);
  });

  it('takes an empty variable for one that is not set', () => {
    expect(loadConfig({ PORT: '', DATABASE_URL: '', MODEL: '' })).toEqual(loadConfig({}));
  });

  it.each([
    ['PORT', 'S3CR3T'],
    ['PORT', '70000'],
    ['PATH_PREFIX', 'S3CR3T path'],
    ['OPENAI_BASE_URL', 'ftp://S3CR3T'],
    ['OPENAI_BASE_URL', 'http://user:S3CR3T@host/v1'],
    ['OPENAI_BASE_URL', 'http://S3CR3T@host/v1'],
    ['OPENAI_BASE_URL', 'http://host/v1?api-version=S3CR3T'],
    ['EMBEDDINGS_BASE_URL', 'http://host/v1#S3CR3T'],
    ['OPENAI_API_KEY', 'S3CR3T\n'],
    ['OPENAI_API_KEY', 'Bearer S3CR3T'],
    ['EMBEDDINGS_API_KEY', 'S3CR3T…'],
    ['DATABASE_URL', 'postgres://u:S3CR#3T@h/d'],
    ['DATABASE_URL', 'S3CR3T'],
    ['DATABASE_URL', 'mysql://u:S3CR3T@h/d'],
    ['DATABASE_URL', 'postgres:S3CR3T'],
    ['DATABASE_URL', 'postgres://u:S3CR3T@h:port/d'],
    ['MODEL_DISCOVERY', 'S3CR3T'],
    ['PARSER_MEMORY_MB', '0'],
    ['PROFILE', 'S3CR3T'],
    ['LOG_LEVEL', 'S3CR3T'],
  ])('stops at a bad %s, and says which it is but not what it held', (name, value) => {
    expect(() => loadConfig({ [name]: value })).toThrow(new RegExp(`^The configuration is not valid:\n${name}: `));
    expect(() => loadConfig({ [name]: value })).toThrow(expect.not.stringContaining('S3CR3T') as never);
  });

  it.each(['x', '1.5'])('says that a number has to be a whole one, of %s', (PORT) => {
    expect(() => loadConfig({ PORT })).toThrow('\nPORT: must be a whole number');
  });

  it('names everything that is wrong at once', () => {
    expect(() => loadConfig({ PORT: 'x', MAX_FILE_MB: '-1' })).toThrow(/PORT: [^]*MAX_FILE_MB: /);
  });

  it('says what is misspelt beside what is wrong, and not what it held', () => {
    const wrong = () => loadConfig({ PORT: 'x', DATABSE_URL: 'S3CR3T' });
    expect(wrong).toThrow(/\nPORT: [^\n]+\nDATABSE_URL: is no setting; the nearest is DATABASE_URL$/);
  });

  it('shows no secret, however it is printed', () => {
    const config = loadConfig({ DATABASE_URL: 'postgresql://u:S3CR3T@h/d', OPENAI_API_KEY: 'S3CR3T' });
    expect(`${JSON.stringify(config)}${inspect(config, { depth: 9 })}${String(config.database.url)}`).not.toContain(
      'S3CR3T',
    );
    expect(config.database.url!.reveal()).toBe('postgresql://u:S3CR3T@h/d');
  });

  it.each(['postgres://u:p@h/d', 'postgresql://h:5432/d?sslmode=require', 'postgresql:///d?host=/run/postgresql'])(
    'takes a PostgreSQL database at %s',
    (DATABASE_URL) => {
      expect(loadConfig({ DATABASE_URL }).database.url!.reveal()).toBe(DATABASE_URL);
    },
  );

  describe('chooses who may connect', () => {
    it.each(['127.0.0.1', '127.9.9.9', '::1', 'localhost'])('nobody but this machine at %s', (HOST) => {
      expect(loadConfig({ HOST }).profile).toBe('local');
    });

    it.each(['0.0.0.0', '::', '192.168.1.2', 'gpt.example.org', '127.0.0.1.example.org', '::ffff:127.0.0.1'])(
      'whoever has a key at %s',
      (HOST) => {
        expect(loadConfig({ HOST }).profile).toBe('server');
        expect(() => loadConfig({ HOST, PROFILE: 'local' })).toThrow(/PROFILE: local needs a loopback HOST/);
      },
    );

    it('keys on loopback too, when asked to', () => {
      expect(loadConfig({ HOST: '127.0.0.1', PROFILE: 'server' }).profile).toBe('server');
    });
  });

  describe('.env.example', () => {
    it('lists every variable that is read, and no other', () => {
      expect(Object.keys(example).sort()).toEqual(Object.keys(environmentSchema.shape).sort());
    });

    it('changes nothing when it is used as it is', () => {
      expect(loadConfig(example)).toEqual(loadConfig({}));
    });

    it('says in a line what each is for', () => {
      for (const name of Object.keys(example)) expect(exampleFile).toMatch(new RegExp(`^# .+\\.\n${name}=`, 'm'));
    });
  });
});
