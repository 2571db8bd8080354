import type { Caller } from '@app/access';
import { contextFilterSchema, type MetadataCondition } from '@app/contract';
import { openKnowledge, type TestKnowledge } from '../../../../test/support/open-knowledge';

let knowledge: TestKnowledge;
let caller: Caller;

const ARTIFACTS: Record<string, Record<string, unknown>> = {
  alpha: {
    year: 2023,
    price: 9.5,
    team: 'ops',
    tags: ['red', 'blue'],
    done: true,
    when: '2024-02-01',
    note: 'Mixed Case Ñandú',
    nested: { level: 1 },
    'dotted.key': 'x',
  },
  beta: { year: 2024, price: 10, team: 'dev', tags: ['blue'], done: false, when: '2024-10-01', file_id: 'F-1' },
  gamma: { year: '2024', team: ['ops', 'dev'], tags: [], note: '', nothing: null, file_name: 'gamma.md' },
  delta: {},
};
const ALL = Object.keys(ARTIFACTS).sort();

beforeAll(async () => {
  knowledge = await openKnowledge();
  caller = await knowledge.caller();
  for (const [artifact, metadata] of Object.entries(ARTIFACTS)) {
    await knowledge.library.ingest(caller, knowledge.text(artifact, `Words of ${artifact}.`, { metadata }));
  }
});
afterAll(() => knowledge.close());

async function found(conditions: unknown[], artifacts?: string[]): Promise<string[]> {
  const filter = contextFilterSchema.parse({ collection: 'docs', artifacts, metadata_filter: conditions });
  const chunks = await knowledge.retriever.search(caller, { mode: 'keyword', query: 'words', filter, limit: 10 });
  return chunks.map(({ document }) => document.artifact).sort();
}

describe('metadata filter', () => {
  it.each<[string, unknown, string, string[]]>([
    ['year', 2023, '==', ['alpha']],
    ['year', 2024, '==', ['beta']],
    ['year', '2024', '==', ['gamma']],
    ['price', 10.0, '==', ['beta']],
    ['done', false, '==', ['beta']],
    ['tags', 'blue', '==', ['alpha', 'beta']],
    ['tags', ['red', 'blue'], '==', ['alpha']],
    ['tags', ['blue', 'red'], '==', []],
    ['team', 'ops', '==', ['alpha', 'gamma']],
    ['team', 'ops', '!=', ['beta', 'delta']],
    ['tags', 'blue', '!=', ['delta', 'gamma']],
    ['year', 2023, '>', ['beta']],
    ['year', 2023, '>=', ['alpha', 'beta']],
    ['year', 2024, '<', ['alpha']],
    ['year', 2023, '<=', ['alpha']],
    ['price', 9.75, '<', ['alpha']],
    ['when', '2024-02-01', '>', ['beta']],
    ['when', '2024-10-01', '<', ['alpha']],
    ['year', [2023, '2024'], 'in', ['alpha', 'gamma']],
    ['team', ['dev'], 'in', ['beta', 'gamma']],
    ['team', 'dev', 'in', ['beta', 'gamma']],
    ['team', ['dev'], 'nin', ['alpha', 'delta']],
    ['tags', ['red', 'green'], 'any', ['alpha']],
    ['tags', ['red', 'blue'], 'all', ['alpha']],
    ['team', ['ops'], 'all', ['alpha', 'gamma']],
    ['tags', 'red', 'contains', ['alpha']],
    ['note', 'Mixed', 'contains', ['alpha']],
    ['note', 'Case', 'text_match', ['alpha']],
    ['note', 'case', 'text_match', []],
    ['note', 'CASE ÑAN', 'text_match_insensitive', ['alpha']],
    ['note', '%', 'text_match', []],
    ['team', 'DE', 'text_match_insensitive', ['beta', 'gamma']],
    ['tags', undefined, 'is_empty', ['delta', 'gamma']],
    ['note', undefined, 'is_empty', ['beta', 'delta', 'gamma']],
    ['nothing', undefined, 'is_empty', ALL],
    ['nested.level', 1, '==', ['alpha']],
    ['dotted.key', 'x', '==', ['alpha']],
    ['artifact_id', 'beta', '==', ['beta']],
    ['collection', 'docs', '==', ALL],
    ['collection', 'other', '==', []],
    ['file_name', 'gamma.md', '==', ['gamma']],
    ['file_name', 'text_content.txt', '!=', ['gamma']],
    ['file_id', 'alpha', '==', ['alpha']],
    ['file_id', ['F-1', 'delta', 'beta'], 'in', ['beta', 'delta']],
    ['missing', 1, '==', []],
    ['team', "x' OR true --", '==', []],
    ['team', 'o\0ps', '==', ['alpha', 'gamma']],
    ['team', '\ud800', '==', []],
  ])('%s %j %s', async (key, value, operator, expected) => {
    expect(await found([{ key, value, operator }])).toEqual(expected);
  });

  it('joins conditions by AND, and meets the listed artifacts', async () => {
    const blue = { key: 'tags', value: 'blue' };
    expect(await found([blue, { key: 'year', value: 2023, operator: '>' }])).toEqual(['beta']);
    expect(await found([blue], ['alpha', 'delta'])).toEqual(['alpha']);
    expect(await found([blue], ['delta'])).toEqual([]);
  });

  it.each([
    [{ key: 'year', value: true, operator: '>' }, 'compares with a number or a text'],
    [{ key: 'year', value: [1], operator: '<=' }, 'compares with a number or a text'],
    [{ key: 'note', value: ['a'], operator: 'text_match' }, 'looks for one text'],
    [{ key: 'organisation_id', value: 'B' }, 'organisation_id is reserved'],
    [{ key: 'tenant', value: 'B', operator: '!=' }, 'tenant is reserved'],
  ])('refuses %j', async (condition, reason) => {
    await expect(found([condition])).rejects.toMatchObject({
      type: 'invalid_request_error',
      message: expect.stringContaining(reason),
    });
  });

  it('finds the same where the filter lets more artifacts through than are spelled out to the index', async () => {
    const many = await knowledge.caller();
    await knowledge.query(
      `INSERT INTO collections (id, organisation_id, name, embedder_id, dimensions)
        SELECT gen_random_uuid(), $1, 'docs', 'words', 64`,
      [many.organisationId],
    );
    for (const [artifact, value] of Object.entries({ wanted: 'Some words.', other: 'Some words too.' })) {
      const metadata = { wanted: artifact === 'wanted' };
      await knowledge.library.ingest(many, knowledge.text(artifact, value, { metadata }));
    }
    await knowledge.query(
      `INSERT INTO artifacts (id, collection_id, name, revision, file_name, content_hash, metadata, byte_size, chunk_count)
        SELECT gen_random_uuid(), c.id, 'filler' || n, gen_random_uuid(), 'a.txt', '', '{"wanted": true}', 1, 0
          FROM generate_series(1, 1500) AS n, collections c WHERE c.organisation_id = $1`,
      [many.organisationId],
    );
    const metadata_filter: MetadataCondition[] = [{ key: 'wanted', operator: '==', value: true }];
    const filter = { collection: 'docs', artifacts: undefined, metadata_filter };
    const chunks = await knowledge.retriever.search(many, { mode: 'hybrid', query: 'words', filter, limit: 10 });
    expect(chunks.map(({ document }) => document.artifact)).toEqual(['wanted']);
  });
});
