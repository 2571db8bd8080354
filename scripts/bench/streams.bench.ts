import { withCarriers, type Carrier } from './carriers';
import { median, type Benchmark, type Figure } from './figure';
import type { StreamResult, StreamTask } from './helpers/stream-client';
import { cpuSeconds, runClient } from './processes';

const COST = { streams: 100, chunks: 300, every: 25, rampMs: 500 };
const HELD = { streams: 1000, chunks: 200, every: 100, rampMs: 4000 };
const ROUNDS = 3;
const GOAL = 1.6;

/** The last chunk of a stream may come so long after the time at which the model would have been done. */
const LATE_BY_MS = 1000;
/** Background answers are stored on their way. */
const ASYNC_LATE_BY_MS = 5000;
const BACKGROUND = { streams: 1000, chunks: 100, every: 100, rampMs: 4000 };

type Load = typeof COST;
type Result = Awaited<ReturnType<typeof load>>;

/** What carrying one chunk of a stream costs, against piping its bytes. */
export const chunkCost: Benchmark = {
  name: 'chunk-cost',
  run: () =>
    withCarriers(async (platform, forwarder) => {
      const warmUp = { ...COST, chunks: 100 };
      await load(forwarder, warmUp);
      await load(platform, warmUp);
      const rounds: { readonly forwarder: Result; readonly platform: Result }[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        rounds.push({ forwarder: await load(forwarder, COST), platform: await load(platform, COST) });
      }
      const microseconds = (who: 'platform' | 'forwarder') => median(rounds.map((round) => round[who].cpuMicroseconds));
      const ratio = median(rounds.map((round) => round.platform.cpuMicroseconds / round.forwarder.cpuMicroseconds));
      return [
        {
          name: `CPU per chunk, ${COST.streams} streams: raw byte pipe`,
          measured: `${microseconds('forwarder').toFixed(1)} µs`,
        },
        {
          name: `CPU per chunk, ${COST.streams} streams: platform`,
          measured: `${microseconds('platform').toFixed(1)} µs`,
        },
        {
          name: 'CPU per chunk: platform to pipe',
          measured: `${ratio.toFixed(2)}×`,
          goal: `at most ${GOAL}×`,
          ok: ratio <= GOAL,
        },
      ];
    }),
};

/** A thousand streams at once: nothing lost, nothing out of order, and in time. */
export const streams: Benchmark = {
  name: 'streams',
  run: () =>
    withCarriers(async (platform, forwarder) => {
      await load(platform, { ...COST, chunks: 100 });
      return [
        ...held('raw byte pipe', await load(forwarder, HELD)),
        ...held('platform', await load(platform, HELD)),
      ].map(
        // The pipe shows what the machine can do today; it has no goal to meet.
        (figure) => (figure.name.includes('raw byte pipe') ? { ...figure, goal: undefined, ok: undefined } : figure),
      );
    }),
};

/** A thousand async messages with a reader each, in one process with its database. */
export const background: Benchmark = {
  name: 'async',
  run: () =>
    withCarriers(
      async (platform) => {
        await load(platform, { ...BACKGROUND, streams: 50, chunks: 20 }, { background: true });
        const result = await load(platform, BACKGROUND, { background: true });
        return held('async messages', result, BACKGROUND, ASYNC_LATE_BY_MS);
      },
      {
        // An organisation gets half of the hands.
        ASYNC_CONCURRENCY: String(2 * BACKGROUND.streams),
        MAX_ASYNC_WAITING_PER_ORG: String(BACKGROUND.streams),
        MAX_ASYNC_KEPT_PER_ORG: String(2 * BACKGROUND.streams),
      },
    ),
};

function held(
  who: string,
  result: StreamResult & { cpuShare: number },
  { streams: count, chunks, every }: Load = HELD,
  lateByMs = LATE_BY_MS,
): Figure[] {
  const { arrived, expected, outOfOrder, broken, reason, p50Ms, p99Ms, maxMs, longestMs, cpuShare } = result;
  const lateBy = longestMs - (chunks - 1) * every;
  return [
    {
      name: `${count} streams of ${1000 / every} chunks/s on one core: ${who}`,
      measured:
        `${arrived} of ${expected} chunks, ${outOfOrder} out of order, ${broken} streams broken` +
        `${reason ? ` (${reason})` : ''}, the slowest stream ${Math.max(0, lateBy).toFixed(0)} ms behind, ` +
        `${(cpuShare * 100).toFixed(0)} % of the core`,
      goal: `all, in order, at most ${lateByMs} ms behind`,
      ok: arrived === expected && outOfOrder === 0 && broken === 0 && lateBy <= lateByMs,
    },
    {
      name: `delay of a chunk: ${who}`,
      measured: `p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms, max ${maxMs.toFixed(0)} ms`,
    },
  ];
}

/** So many streams at once, to their end; with `background`, of async messages. */
export async function load(
  { port, pid, path, body }: Carrier,
  { streams: count, chunks, every, rampMs }: Load,
  { background = false } = {},
) {
  const before = cpuSeconds(pid);
  const began = performance.now();
  const result = await runClient<StreamTask, StreamResult>('helpers/stream-client.js', {
    port,
    path,
    body: body({ chunks, every, stream: true }),
    streams: count,
    chunks,
    rampMs,
    background,
  });
  const cpu = cpuSeconds(pid) - before;
  return {
    ...result,
    cpuMicroseconds: (cpu / result.arrived) * 1e6,
    cpuShare: cpu / ((performance.now() - began) / 1000),
  };
}
