import { withCarriers, type Carrier } from './carriers';
import { median, type Benchmark } from './figure';
import type { RequestResult, RequestTask } from './helpers/request-client';
import { cpuSeconds, runClient } from './processes';

const CONNECTIONS = 32;
const CHUNKS = 16;
/** Until the compiler has seen enough of it; on a busy machine not for ever. */
const WARM_UP = { seconds: 15, enough: 10_000 };
const SECONDS = 4;
const ROUNDS = 3;
const GOAL = 0.35;

/** Whole answers a second, against the forwarder; in turns, so that both meet the same machine. */
export const requests: Benchmark = {
  name: 'requests',
  run: () =>
    withCarriers(async (platform, forwarder) => {
      await load(forwarder, WARM_UP);
      await load(platform, WARM_UP);
      const rounds: { readonly forwarder: Load; readonly platform: Load }[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        rounds.push({
          forwarder: await load(forwarder, { seconds: SECONDS }),
          platform: await load(platform, { seconds: SECONDS }),
        });
      }
      const of = (who: 'platform' | 'forwarder', what: keyof Load) => median(rounds.map((round) => round[who][what]));
      const ratio = median(rounds.map((round) => round.platform.perSecond / round.forwarder.perSecond));
      const describe = (who: 'platform' | 'forwarder') =>
        `${of(who, 'perSecond').toFixed(0)}/s, p50 ${of(who, 'p50Ms').toFixed(1)} ms, p99 ${of(who, 'p99Ms').toFixed(1)} ms, ` +
        `${of(who, 'cpuMs').toFixed(2)} ms CPU each`;
      return [
        { name: 'whole requests: bare forwarder', measured: describe('forwarder') },
        { name: 'whole requests: platform', measured: describe('platform') },
        {
          name: 'whole requests: platform to forwarder',
          measured: ratio.toFixed(2),
          goal: `at least ${GOAL}`,
          ok: ratio >= GOAL,
        },
      ];
    }),
};

interface Load {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly cpuMs: number;
}

/** Whole answers for some time. */
export async function load(
  { port, pid, path, body }: Carrier,
  limits: { readonly seconds: number; readonly enough?: number },
): Promise<Load> {
  const before = cpuSeconds(pid);
  const result = await runClient<RequestTask, RequestResult>('helpers/request-client.js', {
    port,
    path,
    body: body({ chunks: CHUNKS, every: 0, stream: false }),
    connections: CONNECTIONS,
    ...limits,
  });
  const cpu = cpuSeconds(pid) - before;
  return {
    perSecond: result.requests / result.seconds,
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
    cpuMs: (cpu / result.requests) * 1000,
  };
}
