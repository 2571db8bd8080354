/** Tables through the life of their artifact: ingested, replaced, deleted, left half done by a killed server. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Caller } from '@app/access';
import type { DataSource, EntityManager } from 'typeorm';
import { openKnowledge, type TestKnowledge } from '../../../../test/support/open-knowledge';
import { readParquet } from '../../../../test/support/read-parquet';
import { TypeOrmContentStore } from '../artifacts/content-store.typeorm';
import { TypeOrmTableStore } from './table-store.typeorm';

describe('the tables of artifacts', () => {
  let knowledge: TestKnowledge;
  let caller: Caller;
  beforeAll(async () => (knowledge = await openKnowledge()));
  beforeEach(async () => (caller = await knowledge.caller()));
  afterAll(() => knowledge.close());

  const ingest = (artifact: string, text: string, name = `${artifact}.csv`) =>
    knowledge.library.ingest(caller, knowledge.text(artifact, text, { metadata: { file_name: name } }));
  const find = (artifacts?: string[], who = caller) =>
    knowledge.tableStore.find(who, { collection: 'docs', artifacts, metadata_filter: undefined });
  const folders = () => {
    const root = join(knowledge.folder, 'tables', caller.organisationId);
    return existsSync(root) ? readdirSync(root) : [];
  };

  it('are there as soon as the artifact is, with their report', async () => {
    await ingest('ventas', 'región;importe\nNorte;1.234,50\nSur;3,25\n');
    const [table] = await find(['ventas']);
    expect(table).toMatchObject({
      artifact: 'ventas',
      collection: 'docs',
      fileName: 'ventas.csv',
      report: { name: 'ventas', rowCount: 2, columns: [{ original: 'región' }, { type: 'DECIMAL(18,2)' }] },
    });
    expect(await readParquet(table!.file)).toEqual([
      { región: 'Norte', importe: '1234.50' },
      { región: 'Sur', importe: '3.25' },
    ]);
  });

  it('are found by what they say, too', async () => {
    await ingest('people', 'name,city\nAna,Lugo\nLuis,Soria\n');
    const filter = { collection: 'docs', artifacts: ['people'], metadata_filter: undefined };
    const found = await knowledge.retriever.search(caller, { mode: 'keyword', query: 'Soria', filter, limit: 3 });
    expect(found[0]?.text).toContain('| Luis | Soria |');
  });

  it('are those of a Markdown document as well', async () => {
    await ingest(
      'notes',
      '# Prices\n\n| Item | Price |\n| --- | --- |\n| Meter | 12.50 |\n| Probe | 3 |\n',
      'notes.md',
    );
    const [table] = await find(['notes']);
    expect(table?.report).toMatchObject({
      name: 'prices',
      source: { format: 'markdown', title: 'Prices' },
      rowCount: 2,
    });
  });

  it('belong to their organisation', async () => {
    await ingest('mine', 'a,b\n1,2\n');
    const other = await knowledge.caller();
    expect(await find(undefined, other)).toEqual([]);
    await expect(find(['mine'], other)).rejects.toThrow(/mine/);
  });

  it('change at once when their artifact is replaced, and the old files go', async () => {
    await ingest('t', 'a,b\n1,2\n');
    const [before] = await find(['t']);
    await ingest('t', 'a,b\n1,3\n4,5\n');
    const [after] = await find(['t']);
    await knowledge.sweeper.sweep();
    expect(after?.report.rowCount).toBe(2);
    expect([existsSync(before!.file), existsSync(after!.file)]).toEqual([false, true]);
    expect(folders()).toHaveLength(1);
  });

  describe('while their artifact is replaced between two looks at the database', () => {
    /** The database, where after each look `work` is done before whoever looked goes on. */
    const between = (work: () => Promise<unknown>): DataSource => {
      const { dataSource } = knowledge.opened;
      const looking = (source: Pick<DataSource, 'query'>) => async (sql: string, parameters: unknown[]) => {
        const rows: unknown = await source.query(sql, parameters);
        await work();
        return rows;
      };
      return {
        query: looking(dataSource),
        transaction: (level: 'REPEATABLE READ', run: (manager: EntityManager) => Promise<unknown>) =>
          dataSource.transaction(level, (manager) => run({ query: looking(manager) } as EntityManager)),
      } as unknown as DataSource;
    };
    const version = (n: number) => `version,amount\n${`${n},1\n`.repeat(n)}`;
    const filter = { collection: 'docs', artifacts: ['t'], metadata_filter: undefined };
    let n: number;
    const replace = () => ingest('t', version(++n));

    beforeEach(async () => {
      n = 1;
      await replace();
    });

    it('are found, whole and of one version', async () => {
      const store = new TypeOrmTableStore(between(replace), join(knowledge.folder, 'tables'));
      expect((await store.find(caller, filter)).map(({ report }) => report.rowCount)).toEqual([2]);
    });

    it('and so is the text', async () => {
      const [read] = await new TypeOrmContentStore(between(replace)).read(caller, filter);
      const text = read!.passages.map((passage) => passage.text).join('\n');
      expect(text.match(/^\| \d+ \|/gm)).toEqual(['| 2 |', '| 2 |']);
    });
  });

  it('go with their artifact', async () => {
    await ingest('t', 'a,b\n1,2\n');
    await knowledge.library.remove(caller, { collection: 'docs', artifact: 't' });
    await knowledge.sweeper.sweep();
    expect(folders()).toEqual([]);
    expect(await find()).toEqual([]);
  });

  it('leave nothing behind when the ingest is refused', async () => {
    await expect(ingest('wide', `${'x,'.repeat(5000)}x\n1\n`)).rejects.toThrow(/limit_exceeded/);
    await knowledge.sweeper.sweep();
    expect(folders()).toEqual([]);
  });

  it('that a killed server left half written are removed at the start; living ones stay', async () => {
    await ingest('t', 'a,b\n1,2\n');
    const [living] = await find(['t']);
    const home = dirname(dirname(living!.file));
    for (const name of ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222.part']) {
      mkdirSync(join(home, name));
      writeFileSync(join(home, name, '0.parquet'), 'half');
    }
    await knowledge.library.recover();
    expect(folders()).toHaveLength(1);
    expect(await readParquet((await find(['t']))[0]!.file)).toHaveLength(1);
  });
});
