import type { Caller } from '@app/access';
import { estimateTokens, type Embedder } from '@app/models';
import type { Catalog, CatalogRoutine, CatalogTable, TableSample } from './catalog';
import { CatalogCache } from './catalog-cache';
import { DatabaseSchemas, type SchemaSource } from './database-schemas';
import { RelevantTables } from './relevant-tables';
import type { SqliteTarget } from './target';

const CALLER = { organisationId: 'o' } as Caller;
const TARGET: SqliteTarget = { engine: 'sqlite', path: 'shop.db' };
const WISH = { tables: true, views: true, functions: true, procedures: true, maxObjects: 5000 };

const table = (name: string, columns: string[], more: Partial<CatalogTable> = {}): CatalogTable => ({
  schema: 'public',
  name,
  kind: 'table',
  columns: ['id', ...columns].map((column) => ({ name: column, type: 'text', nullable: true })),
  primaryKey: ['id'],
  foreignKeys: [],
  ...more,
});

const refersTo = (column: string, to: string) => ({
  columns: [column],
  schema: 'public',
  table: to,
  references: ['id'],
});

const decoys = Array.from({ length: 500 }, (_, i) => table(`module_${i}_setting`, [`option_${i}`, 'changed_at']));

const shop: CatalogTable[] = [
  table('customer', ['full_name', 'city_id'], { foreignKeys: [refersTo('city_id', 'city')] }),
  table('city', ['label']),
  table('purchase', ['customer_id', 'placed_on'], { foreignKeys: [refersTo('customer_id', 'customer')] }),
  table('purchase_line', ['purchase_id', 'product_id', 'quantity'], {
    foreignKeys: [refersTo('purchase_id', 'purchase'), refersTo('product_id', 'product')],
  }),
  table('product', ['title', 'price']),
  table('emp', ['surname'], { comment: 'Empleados de la empresa' }),
];

const catalog = (tables: CatalogTable[], routines: CatalogRoutine[] = []): Catalog => ({
  product: 'PostgreSQL 15.20',
  timeZone: 'UTC',
  schemas: ['public'],
  tables,
  routines,
  truncated: false,
});

function source(of: Catalog, samples: TableSample[] = []) {
  const seen = { reads: 0, sampled: [] as string[] };
  const engine: SchemaSource<SqliteTarget> = {
    dialectOf: () => 'PostgreSQL',
    readCatalog: () => Promise.resolve((seen.reads++, of)),
    sample: (_, tables) => {
      seen.sampled.push(...tables.map(({ name }) => name));
      return Promise.resolve(samples.filter(({ name }) => tables.some((one) => one.name === name)));
    },
  };
  return { engine, seen };
}

const schemas = (embedder?: Embedder, tokens = 6000) =>
  new DatabaseSchemas(new CatalogCache(300_000), new RelevantTables(embedder), tokens);

async function ask(question: string, of: Catalog, { embedder, tokens, samples }: Asked = {}) {
  const { engine, seen } = source(of, samples);
  const all = schemas(embedder, tokens);
  const wanted = { engine, target: TARGET, wish: WISH };
  const described = await all.describe(CALLER, wanted, question, new AbortController().signal);
  const again = await all.describe(CALLER, wanted, question, new AbortController().signal);
  return { ...described, seen, again, names: described.card.tables.map(({ name }) => name) };
}

interface Asked {
  readonly embedder?: Embedder;
  readonly tokens?: number;
  readonly samples?: TableSample[];
}

describe('DatabaseSchemas', () => {
  it('tells all of a small database, in the order of its catalog', async () => {
    const { names } = await ask('anything at all', catalog(shop));
    expect(names).toEqual(shop.map(({ name }) => name));
  });

  it.each([
    ['How many customers are there per city?', ['customer', 'city']],
    ['¿Cuántos empleados hay?', ['emp']],
    ['What is the average price of a product?', ['product']],
    ['precio medio de los productos', ['product']],
  ])('finds among 506 tables what is needed for: %s', async (question, needed) => {
    const { names, card } = await ask(question, catalog([...decoys, ...shop]));
    expect(names).toEqual(expect.arrayContaining(needed));
    expect(estimateTokens(card.text)).toBeLessThanOrEqual(6000);
    expect(card.text).toContain('further tables do not fit here');
  });

  it('adds the tables through which those found are joined', async () => {
    const { names } = await ask('Which customers bought which product?', catalog([...decoys, ...shop]));
    expect(names).toEqual(expect.arrayContaining(['customer', 'purchase', 'purchase_line', 'product']));
  });

  it('looks at the rows of few tables only, and once', async () => {
    const { seen } = await ask('How many customers are there per city?', catalog([...decoys, ...shop]));
    expect(seen.reads).toBe(1);
    expect(seen.sampled.length).toBeLessThanOrEqual(16);
    expect(seen.sampled).toEqual(expect.arrayContaining(['customer', 'city']));
    expect(new Set(seen.sampled).size).toBe(seen.sampled.length);
  });

  it('tells the same for the same question', async () => {
    const { card, again } = await ask('customers', catalog([...decoys, ...shop]));
    expect(again.card.text).toBe(card.text);
  });

  it('uses vectors where words do not meet, and goes without them where there are none', async () => {
    const like = (text: string) =>
      Float32Array.of(/staff|\bemp\b/.test(text) ? 1 : 0, /staff|\bemp\b/.test(text) ? 0 : 1);
    const embedder = {
      languages: ['en'],
      embed: (texts: readonly string[]) => Promise.resolve(texts.map(like)),
    } as unknown as Embedder;
    const question = 'How large is our staff?';
    expect((await ask(question, catalog([...decoys, ...shop]), { embedder })).names[0]).toBe('emp');
    const broken = { embed: () => Promise.reject(new Error('no embedder')) } as unknown as Embedder;
    expect((await ask('customers', catalog([...decoys, ...shop]), { embedder: broken })).names[0]).toBe('customer');
  });

  it('counts what the rows hold', async () => {
    const two = ['alpha', 'beta'].map((name) => table(`reading_${name}`, ['place']));
    const samples = two.map(({ schema, name }, i) => ({
      schema,
      name,
      columns: [
        {
          name: 'place',
          samples: [],
          values: { list: [{ value: ['Bilbao', 'Sevilla'][i]!, count: 1 }], complete: true },
        },
      ],
    }));
    const { names } = await ask('readings in Sevilla', catalog([...decoys, ...two]), { samples });
    expect(names[0]).toBe('reading_beta');
  });

  it('tells a table before one of the same name in a later schema, and before one that is empty', async () => {
    const copy = { ...shop[0]!, schema: 'archive', foreignKeys: [] };
    const two = { ...catalog([...decoys, copy, ...shop]), schemas: ['public', 'archive'] };
    expect((await ask('How many customers?', two)).names.slice(0, 2)).toEqual(['customer', 'archive.customer']);
    const drafts = ['invoice_a', 'invoice_b'].map((name) => table(name, ['number']));
    const samples = drafts.map(({ schema, name }, i) => ({
      schema,
      name,
      columns: [{ name: 'number', samples: i === 0 ? [] : ['F-1'] }],
    }));
    expect((await ask('How many invoices?', catalog([...decoys, ...drafts]), { samples })).names[0]).toBe('invoice_b');
  });

  it('tells of a very wide table its keys and what the question may mean', async () => {
    const wide = table(
      'measure',
      [...Array.from({ length: 900 }, (_, i) => `field_${i}`), 'water_temperature', 'note'],
      {
        primaryKey: ['note'],
      },
    );
    const { card } = await ask('mean temperature of the water', catalog([...decoys, ...shop, wide]));
    const [first] = card.tables;
    expect(first!.name).toBe('measure');
    expect(first!.columns).toHaveLength(60);
    expect(first!.columns.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['water_temperature', 'note', 'field_0']),
    );
    expect(card.text).toContain('note: 843 further columns are left out here.');
  });

  it('shows functions and procedures, and which may be called', async () => {
    const routine = (name: string, kind: CatalogRoutine['kind'], callable: boolean): CatalogRoutine => ({
      schema: 'public',
      name,
      kind,
      callable,
      signature: `${name}(gross numeric)`,
    });
    const routines = [routine('close_month', 'procedure', false), routine('net_price', 'function', true)];
    const { card } = await ask('net price of each product', catalog(shop, routines));
    expect(card.text).toContain('FUNCTION net_price(gross numeric) -- a query may call it\nPROCEDURE close_month');
  });

  it('shows at most 500 objects and 200 KiB, whatever the budget (SEC-53)', async () => {
    const { card } = await ask('setting', catalog([...decoys, ...shop]), { tokens: 1_000_000 });
    expect(card.tables.length).toBeLessThanOrEqual(500);
    expect(Buffer.byteLength(card.text)).toBeLessThanOrEqual(200 * 1024);
  });
});
