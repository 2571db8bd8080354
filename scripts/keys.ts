/**
 * `npm run keys -- create --name NAME [--org ORG] [--scopes read,write] [--expires 90d] | list | revoke ID`
 *
 * Works on the database of the configuration, also while a server is using it.
 */
import { ACCESS_ENTITIES, KeyService, SCOPES, type KeyInfo, type NewKey, type Scope } from '@app/access';
import { createLogger, loadConfig, openDatabase, readEnvironment, type Config } from '@app/platform';
import { parseArgs } from 'node:util';
import { MIGRATIONS } from '../migrations';

const USAGE = `Usage:
  npm run keys -- create --name NAME [options]   makes a key and shows it, once
  npm run keys -- list                           shows all keys, without the keys themselves
  npm run keys -- revoke ID                      takes one back

  --name NAME    who or what the key is for
  --org ORG      the organisation it belongs to (default: default)
  --scopes LIST  of ${SCOPES.join(',')} (default read,write)
  --expires TIME days or hours from now, as 90d or 12h (default: never)

Works on the database of the configuration (DATA_DIR, DATABASE_URL), also while a server is using it.
`;

const print = (text: string) => void process.stdout.write(text);

async function main(): Promise<void> {
  const { positionals, values } = readArguments();
  if (values.help) return print(USAGE);
  const [command, id] = positionals;
  const config = loadConfig(readEnvironment());
  if (command === 'create' && values.name) {
    const request = requestOf(values.name, values);
    await withKeys(config, (keys) => create(keys, request));
  } else if (command === 'list') await withKeys(config, list);
  else if (command === 'revoke' && id) await withKeys(config, (keys) => revoke(keys, id));
  else throw new Error(USAGE);
  if (config.profile === 'local') {
    process.stderr.write('The local profile asks nobody for a key. Set PROFILE=server for keys to count.\n');
  }
}

/** @throws Error with the usage for options that there are not. */
function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        name: { type: 'string' },
        org: { type: 'string' },
        scopes: { type: 'string' },
        expires: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new Error(`${(error as Error).message}\n\n${USAGE}`);
  }
}

async function withKeys(config: Config, work: (keys: KeyService) => Promise<void>): Promise<void> {
  const logger = createLogger({ logging: { level: 'silent' } });
  const options = { entities: ACCESS_ENTITIES, migrations: MIGRATIONS, logger, join: true };
  const database = await openDatabase(config, options);
  try {
    await work(new KeyService(database.dataSource));
  } finally {
    await database.close();
  }
}

function requestOf(
  name: string,
  { org, scopes, expires }: { org?: string; scopes?: string; expires?: string },
): NewKey {
  return {
    name,
    organisation: org,
    scopes: scopes?.split(',').map((scope) => scope.trim() as Scope),
    expiresAt: expires === undefined ? undefined : expiryOf(expires),
  };
}

async function create(keys: KeyService, request: NewKey): Promise<void> {
  const { key, info } = await keys.create(request);
  print(`${describe(info)}\n\n${key}\n\nThis is the only time the key is shown.\n`);
}

async function list(keys: KeyService): Promise<void> {
  const all = await keys.list();
  print(all.length ? `${all.map(describe).join('\n')}\n` : 'There are no keys.\n');
}

async function revoke(keys: KeyService, id: string): Promise<void> {
  await keys.revoke(id);
  print(`Key ${id} is revoked. Running servers refuse it within five seconds.\n`);
}

function expiryOf(text: string): Date {
  const [, count, unit] = /^(\d{1,5})([dh])$/.exec(text) ?? [];
  if (!count) throw new Error('--expires: a number of days or hours, as 90d or 12h.');
  return new Date(Date.now() + Number(count) * (unit === 'd' ? 24 : 1) * 3_600_000);
}

function describe({ id, name, organisation, scopes, createdAt, expiresAt, revokedAt }: KeyInfo): string {
  const day = (date: Date) => date.toISOString().slice(0, 10);
  const state = revokedAt
    ? `revoked ${day(revokedAt)}`
    : expiresAt
      ? `${expiresAt.getTime() <= Date.now() ? 'expired' : 'expires'} ${day(expiresAt)}`
      : 'does not expire';
  return `${id}  ${organisation}  ${scopes.join(',')}  made ${day(createdAt)}  ${state}  ${JSON.stringify(name)}`;
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
