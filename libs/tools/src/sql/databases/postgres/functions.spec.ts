/** The lists of the guard against the catalogs of real servers: what they let pass only computes. */
import type { Client } from 'pg';
import { describePostgres, startPostgres, type PostgresServer } from '../../../../../../test/support/postgres-server';
import { isRiskyAttribute } from './attributes';
import { FUNCTIONS } from './functions';

/** Volatile by nature, and without an effect beyond the statement. */
const CHANCE_AND_CLOCKS = ['array_sample', 'array_shuffle', 'clock_timestamp', 'random', 'random_normal'];
/** Casts in the guise of calls: there is a type of that name, and no function. */
const TYPES = ['cidr', 'inet', 'json', 'jsonb', 'macaddr', 'macaddr8', 'uuid', 'name'];
/** Nothing of these is on the list, in any server and by any name that it gives them. */
const FORBIDDEN =
  /^(?:pg_(?!size_pretty$|typeof$)|lo_|lo(?:read|write)|dblink|txid_|binary_upgrade|has_|inet_(?:client|server)|set_?config|current_setting|setseed|nextval|setval|currval|lastval|query_to|cursor_to|table_to|schema_to|database_to|ts_stat|ts_rewrite|ts_debug|xml|xpath|to_reg|version$|current_(?:database|schema|query|user)|crosstab|connectby|row_security|brin_|gin_|fmgr_|notify)/;

describePostgres('the functions that a query may call', (version) => {
  let server: PostgresServer;
  let client: Client;

  beforeAll(async () => {
    server = await startPostgres(version);
    client = await server.connect();
  });
  afterAll(async () => {
    await client.end();
    await server.stop();
  });

  const namesOf = async (query: string) =>
    (await client.query<{ name: string }>(query)).rows.map(({ name }) => name).sort();

  it('change nothing: none is volatile but chance and clocks', async () => {
    const volatile = await namesOf(
      `SELECT DISTINCT proname AS name FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace AND provolatile = 'v'`,
    );
    const allowed = volatile.filter((name) => FUNCTIONS.has(name));
    expect(allowed.filter((name) => !CHANCE_AND_CLOCKS.includes(name))).toEqual([]);
  });

  it('read no file, wait for nothing, run no text, and tell nothing of the server', async () => {
    expect([...FUNCTIONS].filter((name) => FORBIDDEN.test(name))).toEqual([]);
    const all = await namesOf(
      `SELECT DISTINCT proname AS name FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace`,
    );
    expect(all.filter((name) => FORBIDDEN.test(name)).length).toBeGreaterThan(200);
    // Those that a plain role is kept from are not on it either.
    const restricted = await namesOf(
      `SELECT DISTINCT proname AS name FROM pg_proc p WHERE pronamespace = 'pg_catalog'::regnamespace
        AND proacl IS NOT NULL AND NOT EXISTS (SELECT FROM aclexplode(proacl) WHERE grantee = 0)`,
    );
    expect(restricted.length).toBeGreaterThan(20);
    expect(restricted.filter((name) => FUNCTIONS.has(name))).toEqual([]);
  });

  it('exist, in this version or a later one', async () => {
    const all = new Set(
      await namesOf(`SELECT proname AS name FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace`),
    );
    const unknown = [...FUNCTIONS].filter((name) => !all.has(name) && !TYPES.includes(name));
    if (version === '18') expect(unknown).toEqual([]);
    else expect(unknown.length).toBeLessThan(40);
  });

  it('leave operators and casts of the server as they are: those only compute', async () => {
    expect(
      await namesOf(
        `SELECT o.oprname AS name FROM pg_operator o JOIN pg_proc p ON p.oid = o.oprcode WHERE p.provolatile = 'v'`,
      ),
    ).toEqual([]);
    expect(
      await namesOf(
        `SELECT p.proname AS name FROM pg_cast c JOIN pg_proc p ON p.oid = c.castfunc WHERE p.provolatile = 'v'`,
      ),
    ).toEqual([]);
  });

  it('are the only ones that a name after a dot can mean, besides those that only compute', async () => {
    // Of one argument, or callable with one; input, output and pseudo-types aside.
    const reachable = await namesOf(
      `SELECT DISTINCT proname AS name FROM pg_proc
        WHERE pronamespace = 'pg_catalog'::regnamespace AND prokind = 'f' AND provolatile <> 'i'
          AND (provariadic <> 0 OR (pronargs >= 1 AND pronargs - pronargdefaults <= 1))
          AND NOT EXISTS (SELECT FROM unnest(proargtypes) a WHERE a IN ('internal'::regtype, 'cstring'::regtype))
          AND prorettype <> 'cstring'::regtype AND proname !~ 'send$'`,
    );
    const pure = ['regclass', 'xml', 'xml_is_well_formed', 'uuidv7', 'mxid_age'];
    expect(reachable.filter((name) => !isRiskyAttribute(name) && !FUNCTIONS.has(name) && !pure.includes(name))).toEqual(
      [],
    );
    expect(reachable.filter(isRiskyAttribute).length).toBeGreaterThan(100);
  });

  it('are told apart from catalogs, whose names begin like none of a user', async () => {
    expect(
      await namesOf(
        `SELECT relname AS name FROM pg_class WHERE relnamespace = 'pg_catalog'::regnamespace AND relname NOT LIKE 'pg\\_%'`,
      ),
    ).toEqual([]);
  });
});
