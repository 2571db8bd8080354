import { setImmediate as settle } from 'node:timers/promises';
import { EgressError } from './egress-error';
import { EgressTurns } from './turns';

const never = new AbortController().signal;
const turns = (atHostMs = 60_000) => new EgressTurns({ atOncePerOrganisation: 4, waitingPerOrganisation: 2, atHostMs });

/** Work that notes when it begins, and ends when it is told to. */
function stage(at: EgressTurns) {
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  const enter = (organisation: string, name: string, host = 'lake.example', signal = never) =>
    at.atHost(host, organisation, signal, () => {
      began.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    });
  const end = async (name: string) => {
    ends.get(name)!();
    await settle();
  };
  return { began, enter, end };
}

describe('turns at a host', () => {
  it('are had by one at a time, and at another host at once', async () => {
    const { began, enter, end } = stage(turns());
    for (const name of ['a1', 'a2']) void enter('a', name);
    void enter('a', 'elsewhere', 'other.example');
    await settle();
    expect(began).toEqual(['a1', 'elsewhere']);
    await end('a1');
    expect(began).toEqual(['a1', 'elsewhere', 'a2']);
  });

  it('go round among the organisations, however many one of them wants', async () => {
    const { began, enter, end } = stage(turns());
    for (const name of ['a1', 'a2', 'a3', 'a4']) void enter('a', name);
    for (const name of ['b1', 'b2']) void enter('b', name);
    void enter('c', 'c1');
    await settle();
    for (const at of [0, 1, 2, 3, 4, 5, 6]) await end(began[at]!);
    expect(began).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
  });

  it('are not given to those that have left', async () => {
    const { began, enter, end } = stage(turns());
    void enter('a', 'a1');
    const leaves = new AbortController();
    const left = enter('b', 'b1', undefined, leaves.signal);
    void enter('c', 'c1');
    await settle();
    leaves.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    await end('a1');
    expect(began).toEqual(['a1', 'c1']);
    await expect(enter('b', 'b2', undefined, leaves.signal)).rejects.toThrow('gone');
  });

  it('are waited for only so long', async () => {
    const { began, enter, end } = stage(turns(20));
    void enter('a', 'a1');
    const late = await enter('b', 'b1').catch((error: unknown) => error);
    expect(late).toBeInstanceOf(EgressError);
    expect((late as Error).message).toMatch(/^tool_timeout: a host is asked for one thing at a time/);
    await end('a1');
    void enter('b', 'b2');
    await settle();
    expect(began).toEqual(['a1', 'b2']);
  });
});

describe('places of an organisation', () => {
  it('are four at once, and only so many wait for one', async () => {
    const at = turns();
    const forever = () => new Promise<void>(() => undefined);
    let running = 0;
    for (let each = 0; each < 6; each++) void at.forOrganisation('a', never, () => (running++, forever()));
    await settle();
    expect(running).toBe(4);
    await expect(at.forOrganisation('a', never, forever)).rejects.toThrow(/^limit_exceeded: 2 fetches/);
    await at.forOrganisation('b', never, () => Promise.resolve());
  });
});
