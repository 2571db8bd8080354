import { environmentSchema } from '@app/platform';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { hasCurl, readGuide, ROOT, runStep, stepsOf, type Step } from '../support/guide';
import { startServer, type TestServer } from '../support/start-server';
import { tellSkipped } from '../support/skipped';

const README = readGuide('README.md');

/** The commands of the tour, each with the output that is printed below it. */
function tour(): Step[] {
  const [, section = ''] = /<!-- tour -->([\s\S]*)<!-- \/tour -->/.exec(README) ?? [];
  return stepsOf(section);
}

describe('The README', () => {
  it('has a row for every variable, with its default', () => {
    const rows = new Map(
      [...README.matchAll(/^\| `([A-Z_]+)` +\| ([^|]+?) +\|/gm)].map(([, name, value]) => [name, value]),
    );
    expect([...rows.keys()].sort()).toEqual(Object.keys(environmentSchema.shape).sort());
    for (const [name, value] of Object.entries(environmentSchema.parse({}))) {
      if (value === undefined || Array.isArray(value)) continue;
      expect({ [name]: rows.get(name) }).toEqual({ [name]: `\`${String(value)}\`` });
    }
  });

  it('links to files that exist', () => {
    const links = [...README.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, target]) => target!);
    expect(links.length).toBeGreaterThan(3);
    expect(links.filter((target) => !existsSync(join(ROOT, target)))).toEqual([]);
  });

  if (!hasCurl) tellSkipped('the tour of the README: curl is not installed');
  (hasCurl ? describe : describe.skip)('has a tour whose commands', () => {
    let server: TestServer;

    beforeAll(async () => {
      server = await startServer();
    });

    afterAll(() => server.stop());

    it('work as they are written, and answer what is printed below them', async () => {
      const steps = tour();
      expect(steps.length).toBeGreaterThanOrEqual(6);
      for (const step of steps) await runStep(step, server.url);
    });
  });
});
