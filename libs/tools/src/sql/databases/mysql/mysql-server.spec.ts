import { connect } from 'node:net';
import { columnOf, END, FakeMysqlServer, OK, type Turn } from '../../../../../../test/support/fake-mysql-server';
import { MysqlEngine } from './mysql-engine';

const LIMITS = { rows: 100, bytes: 1024 ** 2, cell: 1024, ms: 30_000 };
const never = new AbortController().signal;
const PREPARE = 0x16;
const EXECUTE = 0x17;
const text = (words: string) => Buffer.concat([Buffer.from([Buffer.byteLength(words)]), Buffer.from(words)]);
const error = (number: number, words: string) =>
  Buffer.concat([Buffer.from([0xff, number & 0xff, number >> 8]), Buffer.from(`#HY000${words}`)]);

/** No MySQL is at hand where these tests run: the conversation is played as its protocol has it. */
describe("MySQL's engine with a server that speaks as MySQL 8.0 does", () => {
  let server: FakeMysqlServer | undefined;
  const asked: string[] = [];
  beforeEach(() => asked.splice(0));
  afterEach(() => server?.stop());
  const engine = new MysqlEngine({
    dial: async ({ port }) => connect(port, '127.0.0.1'),
    guards: { check: () => Promise.reject(new Error('nothing is guarded here')) },
    limits: { connectMs: 30_000 },
  });

  async function run(sql: string, { columns = 1, knowsLimit = true } = {}) {
    const names = Array.from({ length: columns }, (_, i) => `c${i}`);
    const rows = (say: Turn['say'], header: string[], values: Buffer[]) => {
      say(Buffer.from([header.length]));
      for (const name of header) say(columnOf(name));
      say(END);
      for (const value of values) say(value);
      say(END);
    };
    server = await FakeMysqlServer.start(({ number, packet, say }) => {
      // The password is known to the server's cache.
      if (number === 0) {
        say('\x01\x03');
        return say(OK);
      }
      const words = packet.subarray(1).toString();
      asked.push(packet[0] === EXECUTE ? 'execute' : words);
      if (packet[0] === PREPARE) {
        say(Buffer.from([0, 1, 0, 0, 0, columns, 0, 0, 0, 0, 0, 0]));
        for (const name of names) say(columnOf(name));
        return columns > 0 && say(END);
      }
      if (packet[0] === EXECUTE) {
        const values = names.map((name) => text(`ñ${name}`));
        return rows(say, names, [Buffer.concat([Buffer.from([0, 0]), ...values])]);
      }
      if (words.startsWith('SELECT @@')) {
        return rows(say, ['m', 'z', 's'], [Buffer.concat(['ONLY_FULL_GROUP_BY', 'SYSTEM', 'CEST'].map(text))]);
      }
      if (words.includes('max_execution_time') && !knowsLimit) {
        return say(error(1193, "Unknown system variable 'max_execution_time'"));
      }
      say(OK);
    }, { plugin: 'caching_sha2_password' }); // prettier-ignore
    return engine.run(server.target('S3CR3T-word'), { sql, schemas: ['tienda'], calls: [] }, LIMITS, never);
  }

  it('sets the session up, runs one prepared statement, and undoes it', async () => {
    expect(await run('SELECT name FROM t')).toEqual({
      kind: 'rows',
      columns: [{ name: 'c0', type: 'varchar(64)' }],
      rows: [['ñc0']],
      timeZone: 'CEST',
    });
    expect(asked.slice(0, 7)).toEqual([
      expect.stringMatching(/^SET NAMES utf8mb4, SESSION sql_mode = 'ONLY_FULL_GROUP_BY,.*max_execution_time = 30000$/),
      'SET SESSION TRANSACTION READ ONLY',
      'START TRANSACTION READ ONLY',
      'SELECT @@SESSION.sql_mode, @@SESSION.time_zone, @@system_time_zone',
      'SELECT name FROM t',
      'execute',
      'ROLLBACK',
    ]);
    expect(server!.connections).toBe(1);
  });

  it('does without a limit of time at the server where it has none', async () => {
    expect(await run('SELECT 1', { knowsLimit: false })).toMatchObject({ kind: 'rows' });
    expect(asked[0]).toContain('max_execution_time');
    expect(asked[1]).not.toContain('max_execution_time');
  });

  it('does not run what gives no columns', async () => {
    const outcome = await run("SELECT 1 INTO OUTFILE '/tmp/x'", { columns: 0 });
    expect(outcome).toEqual({ kind: 'refused', token: '', reason: 'it gives no rows; only a SELECT is run' });
    expect(asked).not.toContain('execute');
  });
});
