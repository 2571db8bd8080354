/** The ladder (docs: CONTRIBUTING): a lib imports the libs below it, through their `index.ts`, and nothing else of ours. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const ROOT = join(__dirname, '..');
const LADDER = ['contract', 'platform', 'access', 'models', 'knowledge', 'tools', 'messages'];

interface Import {
  readonly file: string;
  readonly from: string;
}

function imports(folder: string): Import[] {
  const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => name.endsWith('.ts')).map((name) => join(folder, name));
  return files.flatMap((file) => {
    const source = readFileSync(join(ROOT, file), 'utf8');
    const found = source.matchAll(/(?:\bfrom|\bimport|\brequire(?:\.resolve)?)\s*\(?\s*(['"])([^'"\n]+)\1/g);
    return [...found].map(([, , from]) => ({ file, from: from! }));
  });
}

const homeOf = (file: string) => relative(ROOT, file).split('/').slice(0, 2).join('/');
const isSpec = ({ file }: Import) => /\.(spec|contract)\.ts$/.test(file);

describe.each(LADDER)('libs/%s', (lib) => {
  const all = imports(`libs/${lib}`);

  it('imports only the libs below it', () => {
    const below = LADDER.slice(0, LADDER.indexOf(lib));
    const upward = all.filter(({ from }) => from.startsWith('@app/') && !below.includes(from.slice(5)));
    expect(upward).toEqual([]);
  });

  it('reaches other homes by their names, never by a path', () => {
    const outside = all.filter(
      ({ file, from }) => from.startsWith('.') && homeOf(resolve(ROOT, dirname(file), from)) !== `libs/${lib}`,
    );
    expect(outside.filter((one) => !isSpec(one))).toEqual([]);
  });
});

/** Who may import what opens connections, or unpacks what came over one (SEC-03). Everybody else goes through them. */
const DOORS: Readonly<Record<string, RegExp>> = {
  'http|https|http2|dgram|dns|dns/promises|undici|ws|axios|node-fetch|got|superagent':
    /^libs\/platform\/src\/(egress|database)\//,
  // Adapters of databases encrypt the sockets they are given; they open none.
  'net|tls': /^libs\/platform\/src\/(egress|database)\/|^libs\/tools\/src\/sql\/databases\/[\w-]+\//,
  'zlib|yauzl|fflate|jszip': /^libs\/platform\/src\/egress\/|^libs\/knowledge\/src\/parsers\/archive-guard/,
  'pg|pg-boss|pg-cursor': /^libs\/platform\/src\/(database|jobs)\/|^libs\/tools\/src\/sql\/databases\/postgres\//,
  'mysql2|mysql2/promise|tedious|mongodb|redis|ioredis': /^libs\/tools\/src\/sql\//,
};

describe('the product', () => {
  const sources = [...imports('libs'), ...imports('apps'), ...imports('migrations')].filter((one) => !isSpec(one));

  it.each(Object.entries(DOORS))('imports %s behind one door only', (names, door) => {
    const guarded = new Set(names.split('|').flatMap((name) => [name, `node:${name}`]));
    const through = sources.filter(({ from }) => guarded.has(from));
    expect(through.filter(({ file }) => !door.test(file))).toEqual([]);
  });

  it('calls nothing global that opens a connection', () => {
    const files = [...new Set(sources.map(({ file }) => file))];
    const calls =
      /(?<![\w.'"`])(?:globalThis\.)?(?:fetch\(|new (?:WebSocket|EventSource|XMLHttpRequest)\b)|\bglobalThis\.fetch\(/;
    const lines = files.flatMap((file) =>
      readFileSync(join(ROOT, file), 'utf8')
        .split('\n')
        .filter(
          (line) =>
            calls.test(line) && !/^\s*(?:\*|\/\/|\/\*\*|(?:private |public |async |override )*fetch\()/.test(line),
        )
        .map((line) => `${file}: ${line.trim()}`),
    );
    expect(lines).toEqual([]);
    expect(calls.test('const page = await fetch(url);')).toBe(true);
  });

  it('keeps the wire free of everything but zod', () => {
    const packages = imports('libs/contract').filter((one) => !isSpec(one) && !one.from.startsWith('.'));
    expect([...new Set(packages.map(({ from }) => from))]).toEqual(['zod']);
  });

  it('is never imported from the app, and knows no test', () => {
    const product = [...imports('libs'), ...imports('apps'), ...imports('migrations')].filter((one) => !isSpec(one));
    const wrong = product.filter(({ file, from }) => {
      const target = from.startsWith('.') ? relative(ROOT, resolve(ROOT, dirname(file), from)) : from;
      return target.startsWith('test/') || (target.startsWith('apps/') && !file.startsWith('apps/'));
    });
    expect(wrong).toEqual([]);
  });

  it('is looked at by this test', () => {
    expect(imports('libs/messages').some(({ from }) => from === '@app/tools')).toBe(true);
    expect(imports('apps').some(({ from }) => from === '@app/messages')).toBe(true);
  });
});
