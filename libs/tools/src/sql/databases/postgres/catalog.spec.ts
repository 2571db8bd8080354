import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  describePostgres,
  dialLoopback,
  startPostgres,
  targetOn,
  type PostgresServer,
} from '../../../../../../test/support/postgres-server';
import type { Catalog, CatalogWish } from '../catalog';
import type { DatabaseTarget } from '../target';
import { GuardPool } from '../guard-pool';
import { listedValues } from './check-values';
import { PostgresEngine } from './postgres-engine';

const FIXTURES = join(__dirname, '../../../../../../test/fixtures/databases');
const ALL: CatalogWish = { tables: true, views: true, functions: true, procedures: true, maxObjects: 5000 };

describePostgres('the catalog', (version) => {
  let server: PostgresServer;
  let target: DatabaseTarget;
  const guards = new GuardPool({ workers: 1 });
  const engine = new PostgresEngine({ dial: dialLoopback, guards, limits: { connectMs: 30_000 } });
  const signal = new AbortController().signal;
  const read = (wish: Partial<CatalogWish> = {}, over: Partial<DatabaseTarget> = {}) =>
    engine.readCatalog({ ...target, ...over }, { ...ALL, ...wish }, signal);

  beforeAll(async () => {
    server = await startPostgres(version);
    target = targetOn(server);
    const client = await server.connect();
    for (const file of ['postgres-shop.sql', 'postgres-traps.sql']) {
      await client.query(readFileSync(join(FIXTURES, file), 'utf8'));
    }
    await client.query(`
      CREATE SCHEMA "Área Norte"; CREATE SCHEMA otro;
      CREATE TABLE "Área Norte"."select" ("from" text PRIMARY KEY, "Año" int, pareja int,
        CONSTRAINT "Ñ" UNIQUE ("Año", pareja), CHECK ("Año" IN (2023, 2024)));
      CREATE TABLE "Área Norte".hija (a int, b int, zona porcentaje, FOREIGN KEY (a, b) REFERENCES "Área Norte"."select" ("Año", pareja));
      CREATE FOREIGN DATA WRAPPER nada; CREATE SERVER lejos FOREIGN DATA WRAPPER nada;
      CREATE FOREIGN TABLE otro.remota (x int) SERVER lejos;
      CREATE ROLE lector LOGIN; GRANT USAGE ON SCHEMA otro TO lector;
      GRANT SELECT (id, nombre) ON clientes TO lector; GRANT SELECT ON ventas TO lector;`);
    await client.end();
  });
  afterAll(async () => {
    await guards.close();
    await server.stop();
  });

  const tableIn = (catalog: Catalog, name: string) => catalog.tables.find((table) => table.name === name)!;

  it('has tables, views and partitioned tables with their columns, keys and comments', async () => {
    const catalog = await read({ schemas: ['public'] });
    expect(catalog).toMatchObject({ schemas: ['public'], timeZone: 'UTC', truncated: false });
    expect(catalog.product).toMatch(new RegExp(`^PostgreSQL ${version}\\.\\d+$`));
    expect(catalog.tables.map(({ name, kind }) => `${kind} ${name}`)).toEqual([
      'table Artículos de Prensa',
      'table clientes',
      'table envueltos',
      'table fichas',
      'table lineas',
      'table pedidos',
      'table prendas',
      'table productos',
      'table raros',
      'view resumen',
      'table ventas',
      'view ventas_por_ciudad',
      'view vista_rara',
    ]);
    expect(tableIn(catalog, 'clientes')).toMatchObject({
      comment: 'Quien nos compra',
      rowEstimate: 5,
      primaryKey: ['id'],
      foreignKeys: [{ columns: ['referido'], schema: 'public', table: 'clientes', references: ['id'] }],
    });
    expect(tableIn(catalog, 'clientes').columns).toEqual(
      expect.arrayContaining([
        { name: 'alta', type: 'date', nullable: false, comment: 'Día en que se dio de alta' },
        { name: 'Límite Crédito', type: 'numeric(12,2)', nullable: true },
        { name: 'etiquetas', type: 'text[]', nullable: false },
      ]),
    );
    expect(tableIn(catalog, 'lineas').primaryKey).toEqual(['pedido', 'producto']);
    expect(tableIn(catalog, 'ventas')).toMatchObject({ rowEstimate: 48 });
    expect(tableIn(catalog, 'pedidos').columns.find(({ name }) => name === 'estado')).toMatchObject({
      type: 'estado',
      enumValues: ['nuevo', 'pagado', 'enviado', 'devuelto'],
    });
    expect(tableIn(catalog, 'productos').columns.find(({ name }) => name === 'familia')).toMatchObject({
      enumValues: ['café', 'té', 'accesorios'],
    });
  });

  it('has every schema that is not the system’s, and keys of several columns by their names', async () => {
    const catalog = await read();
    expect(catalog.schemas).toEqual(['public', 'otro', 'secreto', 'Área Norte']);
    expect(tableIn(catalog, 'select').columns.map(({ name, enumValues }) => [name, enumValues])).toEqual([
      ['from', undefined],
      ['Año', ['2023', '2024']],
      ['pareja', undefined],
    ]);
    expect(tableIn(catalog, 'hija').foreignKeys).toEqual([
      { columns: ['a', 'b'], schema: 'Área Norte', table: 'select', references: ['Año', 'pareja'] },
    ]);
    expect(tableIn(catalog, 'remota')).toMatchObject({ schema: 'otro', kind: 'table' });
    expect(catalog.tables.filter(({ name }) => /^pg_|ventas_20/.test(name))).toEqual([]);
  });

  it('has what the user may read, and no more', async () => {
    const catalog = await read({}, { user: 'lector' });
    expect(catalog.tables.map(({ name }) => name)).toEqual(['clientes', 'ventas']);
    expect(tableIn(catalog, 'clientes').columns.map(({ name }) => name)).toEqual(['id', 'nombre']);
  });

  it('has routines, and which of them a query may call', async () => {
    const { routines } = await read({ schemas: ['public'] });
    const callable = (name: string) => routines.filter((one) => one.name === name).map((one) => one.callable);
    expect(routines.find(({ name }) => name === 'neto')).toEqual({
      schema: 'public',
      name: 'neto',
      kind: 'function',
      signature: 'neto(bruto numeric, tasa numeric DEFAULT 21) returns numeric',
      comment: 'Sin IVA',
      callable: true,
    });
    expect(routines.find(({ name }) => name === 'limpiar')).toMatchObject({ kind: 'procedure', callable: false });
    for (const name of [
      'borrar',
      'como_dueno',
      'con_resto',
      'con_resto_de_resto',
      'con_sorteo',
      'con_igual',
      'con_trampa',
      'suma_rara',
      'dblink',
      'crosstab',
      'xpath_table',
      'connectby',
    ]) {
      expect([name, [...new Set(callable(name))]]).toEqual([name, [false]]);
    }
    for (const name of ['similarity', 'unaccent', 'hstore', 'con_fecha', 'da_raro']) {
      expect([name, [...new Set(callable(name))]]).toEqual([name, [true]]);
    }
    // What people made comes before what came with extensions.
    expect(routines.findIndex(({ name }) => name === 'neto')).toBeLessThan(
      routines.findIndex(({ name }) => name === 'unaccent'),
    );
  });

  it('has what was wished for, and says where it is not all', async () => {
    const some = await read({ schemas: ['public'], views: false, functions: false });
    expect(some.tables.every(({ kind }) => kind === 'table')).toBe(true);
    expect(some.routines.map(({ name }) => name)).toEqual(['limpiar']);
    const few = await read({ maxObjects: 3 });
    expect(few.tables).toHaveLength(3);
    expect(few).toMatchObject({ routines: [], truncated: true });
    expect(await read({ schemas: ['nada'] })).toMatchObject({ schemas: [], tables: [], routines: [] });
  });

  it('tells what the rows of a table look like', async () => {
    const [clientes, pedidos, ...none] = await engine.sample(
      target,
      [
        { schema: 'public', name: 'clientes' },
        { schema: 'public', name: 'pedidos' },
        { schema: 'public', name: 'no hay tal' },
        { schema: 'otro', name: 'remota' },
      ],
      signal,
    );
    expect(none).toEqual([]);
    const of = (sample: typeof clientes, name: string) => sample!.columns.find((column) => column.name === name);
    expect(of(clientes, 'ciudad')).toMatchObject({
      values: { list: expect.arrayContaining([{ value: 'Madrid', count: 2 }]), complete: true },
    });
    expect(of(clientes, 'ficha')).toMatchObject({ jsonKeys: expect.arrayContaining(['edad', 'direccion.cp']) });
    expect(of(clientes, 'alta')).toMatchObject({ minimum: '2022-03-01', maximum: '2024-02-29' });
    expect(of(pedidos, 'total')).toMatchObject({ minimum: '2.30', maximum: '100.10' });
    expect(
      of(pedidos, 'estado')!
        .values!.list.map(({ value }) => value)
        .sort(),
    ).toEqual(['devuelto', 'enviado', 'nuevo', 'pagado']);
  });
});

describePostgres(
  'a sample',
  (version) => {
    it('is taken of each of many tables', async () => {
      const server = await startPostgres(version);
      const guards = new GuardPool({ workers: 1 });
      const engine = new PostgresEngine({ dial: dialLoopback, guards, limits: { connectMs: 30_000 } });
      const client = await server.connect();
      const tables = Array.from({ length: 40 }, (_, i) => ({ schema: 'public', name: `t${i}` }));
      await client.query(tables.map(({ name }) => `CREATE TABLE ${name} AS SELECT 'x' AS a, 1 AS n`).join(';'));
      await client.end();
      const found = await engine.sample(targetOn(server), tables, new AbortController().signal);
      expect(found.map(({ name }) => name)).toEqual(tables.map(({ name }) => name));

      const again = await server.connect();
      await again.query(`
        CREATE TYPE estado AS ENUM ('a'); CREATE TABLE u AS SELECT 1 AS n, 'a'::estado AS e;
        CREATE FUNCTION a_texto(estado) RETURNS text LANGUAGE plpgsql AS 'BEGIN RETURN ''hecho''; END';
        CREATE CAST (estado AS text) WITH FUNCTION a_texto(estado)`);
      await again.end();
      // Looking at rows calls no function that may do more than compute.
      const [u] = await engine.sample(
        targetOn(server),
        [{ schema: 'public', name: 'u' }],
        new AbortController().signal,
      );
      expect(u!.columns.map(({ name }) => name)).toEqual(['n']);
      await guards.close();
      await server.stop();
    }, 60_000);
  },
  ['18'],
);

describe('a check', () => {
  it.each([
    [`CHECK ((a = ANY (ARRAY['x'::text, 'it''s'::text, 'a, b'::text])))`, ['x', `it's`, 'a, b']],
    [`CHECK (((a)::text = ANY ((ARRAY['x'::character varying, 'y'::character varying])::text[])))`, ['x', 'y']],
    [`CHECK (("El Año" = ANY (ARRAY[1, 2, '-3'::integer])))`, ['1', '2', '-3']],
    [`CHECK ((VALUE = ANY (ARRAY['S'::bpchar, 'N'::bpchar])))`, ['S', 'N']],
    [`CHECK ((a = 'solo'::text))`, ['solo']],
    [`CHECK ((a > 0))`, undefined],
    [`CHECK (((a = ANY (ARRAY['x'::text])) OR (b > 1)))`, undefined],
    [`CHECK ((a <> ALL (ARRAY['x'::text])))`, undefined],
    [`CHECK ((a = ANY (ARRAY[lower('x'::text), 'y'::text])))`, undefined],
    [`CHECK ((lower(a) = ANY (ARRAY['x'::text])))`, undefined],
    [`CHECK ((NOT (a = ANY (ARRAY['x'::text]))))`, undefined],
  ])('%s', (definition, values) => {
    expect(listedValues(definition)).toEqual(values);
  });
});
