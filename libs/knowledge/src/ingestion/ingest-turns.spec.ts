import { setMaxListeners } from 'node:events';
import { OverloadedError } from '@app/contract';
import { IngestTurns, type IngestTurn } from './ingest-turns';

const MiB = 1024 * 1024;
const forEver = new AbortController().signal;
setMaxListeners(0, forEver);
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the turns of ingests', () => {
  let begun: string[];
  beforeEach(() => (begun = []));

  /** One ingest that notes when it begins. */
  function ingest(turns: IngestTurns, organisation: string, name = organisation, bytes = MiB, signal = forEver) {
    const turn: IngestTurn = turns.admit(organisation, bytes);
    const began = turn.begin(signal).then(() => void begun.push(name));
    return { ...turn, began };
  }
  const several = (turns: IngestTurns, organisation: string, count: number) =>
    Array.from({ length: count }, (_, at) => ingest(turns, organisation, `${organisation}${at}`));

  it('come at once to four of an organisation, and to the next when one ends, in order', async () => {
    const turns = new IngestTurns(256 * MiB);
    const [first, second] = several(turns, 'a', 7);
    await settled();
    expect(begun).toEqual(['a0', 'a1', 'a2', 'a3']);
    second!.end();
    second!.end();
    await settled();
    expect(begun).toEqual(['a0', 'a1', 'a2', 'a3', 'a4']);
    first!.end();
    await settled();
    expect(begun.slice(5)).toEqual(['a5']);
  });

  it('come to another organisation although one has a hundred waiting', async () => {
    const turns = new IngestTurns(256 * MiB);
    several(turns, 'a', 100);
    ingest(turns, 'b');
    await settled();
    expect(begun).toEqual(['a0', 'a1', 'a2', 'a3', 'b']);
  });

  it('come to sixteen in all, then round the organisations', async () => {
    const turns = new IngestTurns(256 * MiB);
    const working = ['a', 'b', 'c', 'd'].flatMap((organisation) => several(turns, organisation, 4));
    several(turns, 'e', 4);
    several(turns, 'f', 4);
    await settled();
    expect(begun).toHaveLength(16);
    for (const turn of working.slice(0, 4)) turn.end();
    await settled();
    expect(begun.slice(16)).toEqual(['e0', 'f0', 'e1', 'f1']);
  });

  it('are refused where too much waits, by the setting, and given again when there is room', async () => {
    const turns = new IngestTurns(8 * MiB);
    const ingests = several(turns, 'a', 10);
    expect(() => turns.admit('a', MiB)).toThrow(OverloadedError);
    expect(() => turns.admit('a', MiB)).toThrow(/8 MiB .*MAX_WAITING_INGEST_MB/);
    several(turns, 'b', 6);
    expect(() => turns.admit('b', MiB)).toThrow(OverloadedError);
    // Nothing of it has to wait.
    ingest(turns, 'c', 'c', 100 * MiB);
    ingests[0]!.end();
    ingests[1]!.end();
    await settled();
    expect(begun).toEqual(expect.arrayContaining(['a4', 'a5', 'c']));
    expect(() => turns.admit('a', MiB)).not.toThrow();
  });

  it('are given back by those who leave before', async () => {
    const turns = new IngestTurns(8 * MiB);
    several(turns, 'a', 4);
    const caller = new AbortController();
    const leaving = Array.from({ length: 6 }, () => ingest(turns, 'a', 'leaving', MiB, caller.signal));
    expect(() => turns.admit('a', MiB)).toThrow(OverloadedError);
    caller.abort(new Error('gone'));
    for (const { began, end } of leaving) {
      await expect(began).rejects.toThrow('gone');
      end();
    }
    const next = several(turns, 'a', 6);
    expect(next).toHaveLength(6);
    expect(begun).toEqual(['a0', 'a1', 'a2', 'a3']);
  });

  it('count for something however small they are', () => {
    const turns = new IngestTurns(MiB);
    for (let at = 0; at < 4 + 12; at++) ingest(turns, 'a', 'a', 1);
    expect(() => turns.admit('a', 1)).toThrow(OverloadedError);
  });
});
