/** The list of promises against the tests that cite them. */
import { citations } from './citations';
import { requirements } from './requirements';

const cited = citations();
const idsOf = (kind: 'test' | 'probe') => new Set(cited.filter((one) => one.kind === kind).map(({ id }) => id));

describe('the list of promises', () => {
  it('names each once, in words, and says where it stands', () => {
    const ids = requirements.map(({ id }) => id);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
    for (const { id, section, sentence } of requirements) {
      expect(id).toMatch(/^[a-z][a-z0-9-]*$/);
      expect(section).toMatch(/^(messages-api|anthropic-compat|architecture|security) §[\d.]+$/);
      expect(sentence).toMatch(/^.{10,}\.$/);
    }
  });

  it('is kept: each is cited by a test that runs', () => {
    const tests = idsOf('test');
    expect(requirements.filter(({ id, gap }) => !gap && !tests.has(id)).map(({ id }) => id)).toEqual([]);
  });

  it('has no more than it promises: no test cites what is not in it', () => {
    const known = new Set(requirements.map(({ id }) => id));
    expect(cited.filter(({ id }) => !known.has(id))).toEqual([]);
  });

  it('has a probe for every gap, which fails when the gap closes, and no other', () => {
    const gaps = requirements.flatMap(({ id, gap }) => (gap ? [id] : []));
    expect([...idsOf('probe')].sort()).toEqual([...new Set(gaps)].sort());
    expect(gaps.filter((id) => idsOf('test').has(id))).toEqual([]);
  });

  it('is read from titles alone, of tests that are not skipped', () => {
    const source = `
      it('shows §shown and §two-words (§in-brackets)', () => { const s = '§in-a-body'; });
      describe.each([1])(\`each of §each \${1}\`, () => it.failing('§probed', () => {}));
      it.skip('§skipped', () => {}); // §in-a-comment
      it('quotes messages-api §5.2', () => {});
      describe.skip('§skipped-too', () => it('§inside-skipped', () => {}));`;
    expect(citations([{ file: 'x.spec.ts', source }])).toEqual([
      { id: 'shown', kind: 'test', file: 'x.spec.ts' },
      { id: 'two-words', kind: 'test', file: 'x.spec.ts' },
      { id: 'in-brackets', kind: 'test', file: 'x.spec.ts' },
      { id: 'each', kind: 'test', file: 'x.spec.ts' },
      { id: 'probed', kind: 'probe', file: 'x.spec.ts' },
    ]);
  });
});
