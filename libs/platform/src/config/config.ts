/**
 * The configuration: read once from the environment, checked whole, typed as a tree.
 *
 * Nothing else touches `process.env`. A bad value stops the start and says which. `.env.example` lists the same
 * names, and a test keeps the two equal.
 */
import { resolve } from 'node:path';
import { z } from 'zod';
import { parseAllowEntry } from '../egress/allow-list';
import { Secret } from '../secret';
import { unknownSettings } from './unknown-settings';

const MiB = 1024 * 1024;

const list = z
  .string()
  .default('')
  .transform((value) =>
    value
      .split(',')
      .map((entry) => entry.trim())
      .filter(Boolean),
  );
const count = (fallback: number, maximum = 1_000_000) => z.coerce.number().int().min(1).max(maximum).default(fallback);
/** What a connection would not use is refused rather than lost. */
const httpUrl = z
  .url({ protocol: /^https?$/, error: 'must be a URL that begins with http:// or https://' })
  .refine((value) => !URL.canParse(value) || isBare(new URL(value)), {
    error: 'must have no user or password (a key has a setting of its own), and end with its path: no ? and no #',
  });
const isBare = ({ username, password, search, hash }: URL) => !(username || password || search || hash);
const postgresUrl = z
  .string()
  .refine((value) => /^postgres(ql)?:\/\//.test(value) && URL.canParse(value), {
    error:
      'must be a URL that begins with postgres:// or postgresql://; in a password, # / ? @ and % are written as ' +
      '%23 %2F %3F %40 and %25',
  })
  .transform((value) => new Secret(value));
/** It travels in a header. */
const apiKey = z
  .string()
  .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces and line breaks')
  .transform((value) => new Secret(value));

const allowed = list.transform((entries, context) =>
  entries.flatMap((entry) => {
    const parsed = parseAllowEntry(entry);
    if (parsed) return [parsed];
    context.addIssue({
      code: 'custom',
      message: 'entries look like 10.1.0.0/16:80, 10.1.2.3:8080, [fd00::/8]:443 or wiki.corp:443',
    });
    return [];
  }),
);
const dnsServers = list.refine(
  (servers) => servers.every((server) => /^(?:[\d.]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$|^[0-9a-f:]+$/i.test(server)),
  { error: 'must be addresses of DNS servers, as 10.0.0.53 or [fd00::53]:5353' },
);

/** Every environment variable that is read, and its default. */
export const environmentSchema = z.object({
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
  PROFILE: z.enum(['local', 'server']).optional(),
  SERVER_HOSTS: list,
  CORS_ORIGINS: list,
  TRUST_PROXY: list,
  PATH_PREFIX: z
    .string()
    .regex(/^(\/[\w-]+)+$/, 'must look like /api/gpt')
    .default('/api/gpt'),
  DATA_DIR: z.string().min(1).default('./data'),
  DATABASE_URL: postgresUrl.optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  OPENAI_BASE_URL: httpUrl.optional(),
  OPENAI_API_KEY: apiKey.optional(),
  MODEL: z.string().min(1).max(255).optional(),
  MODEL_CONTEXT_TOKENS: count(32_768, 100_000_000),
  MODEL_MAX_OUTPUT_TOKENS: z.coerce.number().int().min(1).max(10_000_000).optional(),
  MODEL_MAX_ANSWER_MB: count(4, 256),
  MODEL_MAX_IMAGES: count(100, 10_000),
  MODEL_MAX_AUDIOS: count(10, 10_000),
  MODEL_BEGINS_THINKING: z.enum(['on', 'off']).default('off'),
  MODEL_DISCOVERY: z.enum(['on', 'off']).default('on'),
  MODEL_CONNECT_SECONDS: count(5, 600),
  MODEL_IDLE_SECONDS: count(120, 86_400),
  MODEL_MAX_CONNECTIONS: count(2048, 100_000),
  EMBEDDINGS_BASE_URL: httpUrl.optional(),
  EMBEDDINGS_API_KEY: apiKey.optional(),
  EMBEDDINGS_MODEL: z.string().min(1).max(255).optional(),
  EMBEDDER_WORKERS: count(1, 64),
  PARSER_WORKERS: count(1, 64),
  PARSER_MEMORY_MB: count(512, 65_536),
  PARSER_SECONDS: count(60, 3600),
  MAX_MESSAGE_BODY_MB: count(32, 1024),
  MAX_INGEST_BODY_MB: count(64, 1024),
  MAX_BODIES_MB: count(256, 65_536),
  MAX_FILE_MB: count(48, 1024),
  MAX_WAITING_INGEST_MB: count(256),
  MAX_CHUNKS_PER_ARTIFACT: count(50_000),
  MAX_PDF_PAGES: count(2000),
  MAX_TABLE_COLUMNS: count(4096, 16_384),
  MAX_TABLE_ROWS: count(50_000_000, 1_000_000_000),
  MAX_TABLE_CELL_KB: count(1024, 16_384),
  MAX_SHEETS: count(100, 10_000),
  MAX_SHEET_CELLS: count(5_000_000, 100_000_000),
  MAX_TABLE_TEXT_ROWS: count(500),
  WEB_ACCESS: z.enum(['on', 'off']).optional(),
  WEB_ALLOW: allowed,
  WEB_DNS: dnsServers,
  WEB_ANY_URL: z.enum(['on', 'off']).default('off'),
  WEB_ROBOTS: z.enum(['on', 'off']).default('on'),
  WEB_USER_AGENT: z
    .string()
    .regex(/^[\x20-\x7e]{1,200}$/, 'must be 1 to 200 printable ASCII characters')
    .default('Toolwright/0.1'),
  WEB_SECONDS: count(15, 600),
  MAX_WEB_MB: count(5, 1024),
  MAX_WEB_UNPACKED_MB: count(10, 1024),
  WEB_READERS: count(1, 64),
  URI_SECONDS: count(60, 3600),
  SQL_WORKERS: count(2, 64),
  SQL_QUERIES_PER_ORG: count(4, 1000),
  SQL_SECONDS: count(15, 3600),
  SQL_MEMORY_MB: count(256, 65_536),
  SQL_MAX_ROWS: count(1000),
  SQL_MAX_RESULT_MB: count(5, 1024),
  SQL_CARD_TOKENS: count(6000, 1_000_000),
  DATABASE_QUERY: z.enum(['on', 'off']).optional(),
  DATABASE_ALLOW: allowed,
  DATABASE_SQLITE_DIR: z.string().min(1).optional(),
  DATABASE_SQLITE_MAX_MB: count(100, 1024),
  DATABASE_SQL_SERVER_LOGIN: z.enum(['read_only', 'any']).default('read_only'),
  DATABASE_CA_FILE: z.string().min(1).optional(),
  DATABASE_CONNECT_SECONDS: count(5, 600),
  DATABASE_CONNECTIONS: count(2, 1000),
  DATABASE_QUERIES_PER_ORG: count(4, 1000),
  DATABASE_WAIT_SECONDS: count(30, 3600),
  DATABASE_MAX_OBJECTS: count(5000, 1_000_000),
  DATABASE_SCHEMA_SECONDS: count(300, 86_400),
  MAX_STREAMS_PER_KEY: count(2000, 100_000),
  MAX_CONNECTIONS: count(4096, 100_000),
  STALLED_READER_SECONDS: count(30, 3600),
  AUDIT_RETENTION_DAYS: count(90, 36_500),
  ASYNC_WORKER: z.enum(['on', 'off']).default('on'),
  ASYNC_CONCURRENCY: count(64, 10_000),
  ASYNC_RETENTION_SECONDS: count(3600, 31_536_000),
  MAX_ASYNC_WAITING: count(1000),
  MAX_ASYNC_WAITING_PER_ORG: count(100),
  MAX_ASYNC_KEPT_PER_ORG: count(500),
  MAX_ASYNC_EVENTS: count(10_000),
  MAX_ASYNC_EVENTS_MB: count(8, 1024),
});

export type Environment = z.infer<typeof environmentSchema>;
export type Profile = 'local' | 'server';
/** The server owns the data folder; a worker beside it answers async messages and only reads there. */
export type Role = 'server' | 'worker';

/**
 * @throws Error whose message names every variable that is wrong and what it may be. Values are not repeated.
 */
export function loadConfig(environment: NodeJS.ProcessEnv, role: Role = 'server') {
  // A variable that is set to nothing, as `NAME=` in a file does, is one that is not set.
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = environmentSchema.safeParse(given);
  const unknown = unknownSettings(given, Object.keys(environmentSchema.shape));
  if (!parsed.success) {
    const lines = [
      ...problems(parsed.error),
      ...unknown.map(({ name, nearest }) => `${name}: is no setting; the nearest is ${nearest}`),
    ];
    throw new Error(`The configuration is not valid:\n${lines.join('\n')}`);
  }
  const env = parsed.data;
  const profile = chooseProfile(env);
  return {
    role,
    profile,
    /** What was set, was probably meant for us, and is not read. */
    unknownSettings: unknown,
    http: {
      host: env.HOST,
      port: env.PORT,
      /** Names by which the server may be called, besides its own address (SEC-115). */
      hosts: env.SERVER_HOSTS,
      corsOrigins: env.CORS_ORIGINS,
      trustProxy: env.TRUST_PROXY,
      pathPrefix: env.PATH_PREFIX,
      maxMessageBodyBytes: env.MAX_MESSAGE_BODY_MB * MiB,
      maxIngestBodyBytes: env.MAX_INGEST_BODY_MB * MiB,
      /** Bodies that are taken in at once, in all. */
      maxBodiesBytes: env.MAX_BODIES_MB * MiB,
      maxStreamsPerKey: env.MAX_STREAMS_PER_KEY,
      maxConnections: env.MAX_CONNECTIONS,
      stalledReaderMs: env.STALLED_READER_SECONDS * 1000,
    },
    dataDir: resolve(env.DATA_DIR),
    database: { url: env.DATABASE_URL },
    logging: { level: env.LOG_LEVEL },
    model: {
      /** Absent: look for a server on loopback, else the built-in model (architecture §5). */
      baseUrl: env.OPENAI_BASE_URL,
      apiKey: env.OPENAI_API_KEY,
      /** The model that answers as `default`. Absent: the first that the model server lists. */
      name: env.MODEL,
      contextTokens: env.MODEL_CONTEXT_TOKENS,
      /** Of one answer. Absent: what the prompt leaves of the window. */
      maxOutputTokens: env.MODEL_MAX_OUTPUT_TOKENS,
      /** Words and thoughts of one model call; there the answer is cut, as by `max_tokens`. */
      maxAnswerCharacters: env.MODEL_MAX_ANSWER_MB * 1024 ** 2,
      /** Of one request. */
      maxImages: env.MODEL_MAX_IMAGES,
      maxAudios: env.MODEL_MAX_AUDIOS,
      /** Whether the chat template opens a block of thinking that the model only closes. */
      beginsThinking: env.MODEL_BEGINS_THINKING === 'on',
      discovery: env.MODEL_DISCOVERY === 'on',
      connectMs: env.MODEL_CONNECT_SECONDS * 1000,
      idleMs: env.MODEL_IDLE_SECONDS * 1000,
      maxConnections: env.MODEL_MAX_CONNECTIONS,
    },
    embeddings: {
      /** Absent: the local embedder. */
      baseUrl: env.EMBEDDINGS_BASE_URL,
      apiKey: env.EMBEDDINGS_API_KEY,
      name: env.EMBEDDINGS_MODEL,
      workers: env.EMBEDDER_WORKERS,
    },
    ingestion: {
      parserWorkers: env.PARSER_WORKERS,
      parserMemoryMb: env.PARSER_MEMORY_MB,
      parserMs: env.PARSER_SECONDS * 1000,
      maxFileBytes: env.MAX_FILE_MB * MiB,
      /** Content that may wait for its turn, as it came. */
      maxWaitingBytes: env.MAX_WAITING_INGEST_MB * MiB,
      maxChunks: env.MAX_CHUNKS_PER_ARTIFACT,
      maxPages: env.MAX_PDF_PAGES,
      tables: {
        maxColumns: env.MAX_TABLE_COLUMNS,
        maxRows: env.MAX_TABLE_ROWS,
        /** Characters of one cell. */
        maxCell: env.MAX_TABLE_CELL_KB * 1024,
        /** Of one workbook, as the cells. */
        maxSheets: env.MAX_SHEETS,
        maxSheetCells: env.MAX_SHEET_CELLS,
        /** Rows of each table that are searchable as text. */
        maxTextRows: env.MAX_TABLE_TEXT_ROWS,
      },
    },
    web: {
      /** Whether pages are fetched at all: where nobody needs a key, unless it is said (SEC-02, decision 9). */
      enabled: (env.WEB_ACCESS ?? (profile === 'local' ? 'on' : 'off')) === 'on',
      /** Targets beyond the public web. */
      allow: env.WEB_ALLOW,
      /** Empty: the system's. */
      dns: env.WEB_DNS,
      /** Whether a model may read addresses that the user has not named (SEC-19). */
      anyUrl: env.WEB_ANY_URL === 'on',
      robots: env.WEB_ROBOTS === 'on',
      userAgent: env.WEB_USER_AGENT,
      totalMs: env.WEB_SECONDS * 1000,
      maxBytes: env.MAX_WEB_MB * MiB,
      maxUnpackedBytes: env.MAX_WEB_UNPACKED_MB * MiB,
      /** Processes that read pages. */
      readers: env.WEB_READERS,
      /** A whole document, to be ingested (SEC-81); it may be as large as a file may. */
      documentMs: env.URI_SECONDS * 1000,
    },
    sql: {
      /** Processes that query the tables of documents. */
      workers: env.SQL_WORKERS,
      /** Queries over tables of one organisation at once (SEC-126). */
      perOrganisation: env.SQL_QUERIES_PER_ORG,
      ms: env.SQL_SECONDS * 1000,
      memoryMb: env.SQL_MEMORY_MB,
      rows: env.SQL_MAX_ROWS,
      bytes: env.SQL_MAX_RESULT_MB * MiB,
      /** What the model that writes the SQL is told of the tables, in tokens. */
      cardTokens: env.SQL_CARD_TOKENS,
    },
    /** Databases that requests name; their statements have the limits of `sql`. */
    databases: {
      /** Off until configured, but where nobody needs a key (SEC-02, decision 9). */
      enabled: databasesEnabled(env, profile),
      /** Targets beyond those that the profile allows (SEC-42). */
      allow: env.DATABASE_ALLOW,
      /** The folder of SQLite files that may be queried (SEC-43). Absent: none. */
      sqliteDir: env.DATABASE_SQLITE_DIR === undefined ? undefined : resolve(env.DATABASE_SQLITE_DIR),
      /** Of one such file: it is copied into memory. */
      sqliteBytes: env.DATABASE_SQLITE_MAX_MB * MiB,
      /** Whether a login that may write is used: SQL Server has no sessions that cannot (SEC-50). */
      sqlServerLogin: env.DATABASE_SQL_SERVER_LOGIN,
      /** Certificate authorities in PEM, besides the system's (SEC-54). */
      caFile: env.DATABASE_CA_FILE === undefined ? undefined : resolve(env.DATABASE_CA_FILE),
      connectMs: env.DATABASE_CONNECT_SECONDS * 1000,
      /** At once to one target (SEC-58). */
      connectionsPerTarget: env.DATABASE_CONNECTIONS,
      queriesPerOrganisation: env.DATABASE_QUERIES_PER_ORG,
      /** How long a query waits for its turn. */
      waitMs: env.DATABASE_WAIT_SECONDS * 1000,
      /** Tables, views and routines that are read of one database. */
      maxObjects: env.DATABASE_MAX_OBJECTS,
      /** How long what was read of them is believed. */
      schemaMs: env.DATABASE_SCHEMA_SECONDS * 1000,
    },
    audit: {
      /** How long it is kept what tools were run (SEC-140). */
      retentionMs: env.AUDIT_RETENTION_DAYS * 24 * 60 * 60 * 1000,
    },
    async: {
      /** Whether this process answers async messages itself; otherwise `apps/worker` does. */
      worker: env.ASYNC_WORKER === 'on' || role === 'worker',
      /** Answers in the making at once in this process; one organisation gets at most half of them. */
      concurrency: env.ASYNC_CONCURRENCY,
      /** How long a message is kept after its last event (messages-api §11). */
      retentionMs: env.ASYNC_RETENTION_SECONDS * 1000,
      maxWaiting: env.MAX_ASYNC_WAITING,
      maxWaitingPerOrganisation: env.MAX_ASYNC_WAITING_PER_ORG,
      maxKeptPerOrganisation: env.MAX_ASYNC_KEPT_PER_ORG,
      /** Of one message. */
      maxEvents: env.MAX_ASYNC_EVENTS,
      maxEventBytes: env.MAX_ASYNC_EVENTS_MB * MiB,
    },
  };
}

export type Config = ReturnType<typeof loadConfig>;

/** Injection token of the Config. */
export const CONFIG = Symbol('CONFIG');

const databasesEnabled = (env: Environment, profile: Profile): boolean =>
  env.DATABASE_QUERY
    ? env.DATABASE_QUERY === 'on'
    : profile === 'local' || env.DATABASE_ALLOW.length > 0 || env.DATABASE_SQLITE_DIR !== undefined;

/** Bound to loopback is local, anything else is server; the two may not be mixed (architecture §6, decision 9). */
function chooseProfile({ HOST, PROFILE }: Environment): Profile {
  const loopback = isLoopback(HOST);
  if (PROFILE === 'local' && !loopback) {
    throw new Error(
      `The configuration is not valid:\nPROFILE: local needs a loopback HOST (127.0.0.1, ::1 or localhost), but HOST is ${HOST}. ` +
        'Set PROFILE=server (every route then needs a key), or HOST=127.0.0.1.',
    );
  }
  return PROFILE ?? (loopback ? 'local' : 'server');
}

/** Whether a host name or address, without brackets, is this machine's loopback. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

const problems = (error: z.ZodError) => error.issues.map((issue) => `${issue.path.join('.')}: ${rule(issue)}`);

/** A number that is none, or has a fraction, in words for who writes the `.env` rather than for who wrote the schema. */
const rule = (issue: z.core.$ZodIssue): string =>
  issue.code === 'invalid_type' && (issue.expected === 'number' || issue.expected === 'int')
    ? 'must be a whole number'
    : issue.message;
