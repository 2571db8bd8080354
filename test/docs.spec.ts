/** What the documents under docs/ say of settings, links, errors and benchmarks, against the code that they tell of. */
import { environmentSchema } from '@app/platform';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readGuide, ROOT } from './support/guide';

const below = (folder: string, ending: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name));

const DOCUMENTS = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...below('docs', '.md')];
const SETTINGS = new Set(Object.keys(environmentSchema.shape));

describe.each(DOCUMENTS)('%s', (document) => {
  const text = readGuide(document);
  const prose = text.replace(/```[^]*?```/g, '');

  it('links to files and headings that exist', () => {
    const links = [...prose.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)];
    const broken = links.filter(([, file, heading]) => {
      const target = file ? join(dirname(document), file) : document;
      return !existsSync(join(ROOT, target)) || (heading !== undefined && !headingsOf(target).includes(heading));
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });

  it('names files of the repository that exist', () => {
    const paths = [...text.matchAll(/`((?:apps|libs|scripts|test|docs)\/[\w./-]+\w)`/g)].map(([, path]) => path!);
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });
});

/** As a link to them is written. */
const headingsOf = (document: string): string[] =>
  [...readGuide(document).matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );

describe('The guides', () => {
  const guides = below('docs', '.md').filter((name) => !name.includes('decisions'));
  const texts = guides.map((name) => [name, readGuide(name)] as const);

  it('name settings that there are', () => {
    // Of the clients, and names of theirs.
    const others = /^(?:TOOLWRIGHT_\w+|MODEL_(?:AUTHENTICATION|NOT_FOUND|RATE_LIMIT)|ANTHROPIC_\w+|OPENAI_ORG_ID)$/;
    const family = new RegExp(`^(?:${[...new Set([...SETTINGS].map((name) => name.split('_')[0]))].join('|')})_`);
    for (const [guide, text] of texts) {
      const named = [...text.matchAll(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b/g)].map(([, name]) => name!);
      const unknown = named.filter((name) => family.test(name) && !SETTINGS.has(name) && !others.test(name));
      expect([guide, unknown]).toEqual([guide, []]);
    }
  });

  it('tell the defaults of limits as they are', () => {
    const defaults = environmentSchema.parse({}) as Record<string, unknown>;
    const told = texts.flatMap(([, text]) => [...text.matchAll(/^\| `([A-Z_]+)` +\| ([\d,]+) +\|/gm)]);
    expect(told.length).toBeGreaterThan(5);
    for (const [, name, value] of told)
      expect([name, value!.replaceAll(',', '')]).toEqual([name, String(defaults[name!])]);
  });

  it('explain every word that an error of the server begins with', () => {
    const sources = below('libs', '.ts').filter((name) => !/\.(?:spec|contract)\.ts$/.test(name));
    const words = new Set(
      sources.flatMap((name) =>
        [
          ...readFileSync(join(ROOT, name), 'utf8').matchAll(
            /(?:(?<!new )Error\(\s*|return |[?:] |\[)[`'"]([a-z]+(?:_[a-z]+)+): /g,
          ),
        ].map(([, word]) => word!),
      ),
    );
    expect(words).toContain('sql_rejected');
    const all = texts.map(([, text]) => text).join('\n');
    expect([...words].filter((word) => !new RegExp(`\`${word}\\b`).test(all))).toEqual([]);
  });

  it('list the benchmarks that there are', () => {
    const [, table = ''] = readGuide('docs/benchmarks.md').split(/^\| Name .*$/m);
    const listed = [...table.split('\n\n')[0]!.matchAll(/^\| `([\w-]+)`/gm)].map(([, name]) => name!);
    const sources = below('scripts/bench', '.bench.ts').map((name) => readFileSync(join(ROOT, name), 'utf8'));
    const names = sources.flatMap((source) =>
      [...source.matchAll(/: Benchmark = \{\s*name: '([\w-]+)'/g)].map(([, name]) => name!),
    );
    expect(listed.sort()).toEqual(names.sort());
  });
});
