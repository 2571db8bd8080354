/**
 * What the checks cost: of a request before anything is done with it, and of each event before it leaves.
 *
 * Each check is timed alone in this process, thousands of times, with the heap that the server has; the whole is the
 * processor time of the running server for the same request and for the same event.
 */
import { messagesRequestSchema, type StreamEvent } from '@app/contract';
import { z } from 'zod';
import { parseJson } from '../../apps/api/src/http/parse-json';
import { StreamRules } from '../../libs/messages/src/stream-rules';
import { withCarriers, type Carrier } from './carriers';
import { median, type Benchmark, type Figure } from './figure';
import { load as loadRequests } from './requests.bench';
import { load as loadStreams } from './streams.bench';

/** As the server checks requests for messages (`schema.pipe.ts`). */
const REQUEST = z.compile(messagesRequestSchema);
const CHUNKS = 16;
const STREAMS = { streams: 100, chunks: 200, every: 25, rampMs: 500 };
const ROUNDS = 9;
/** The server has seen as many requests before it is measured: its compiler knows the check just as well. */
const WARM_UP_CALLS = 4000;
const GOAL_REQUEST = 0.1;
const GOAL_EVENT = 0.15;

export const rules: Benchmark = {
  name: 'rules',
  run: () =>
    withCarriers(async (platform) => {
      const small = platform.body({ chunks: CHUNKS, every: 0, stream: false });
      const large = agentRequest(small);
      return [
        await ofRequest('a short question', platform, small, GOAL_REQUEST),
        await ofRequest(`${Math.round(large.length / 1000)} kB, 24 tools`, platform, large, GOAL_REQUEST),
        await ofEvent(platform),
      ];
    }),
};

async function ofRequest(what: string, platform: Carrier, body: string, goal: number): Promise<Figure> {
  const carrier: Carrier = { ...platform, body: () => body };
  await loadRequests(carrier, { seconds: 5, enough: 4000 });
  const { cpuMs } = await loadRequests(carrier, { seconds: 4 });
  const bytes = Buffer.from(body);
  const times = Math.ceil(20_000_000 / bytes.length);
  const check = microseconds(times, () => {
    REQUEST.parse(parseJson(bytes));
  });
  // Whoever checks nothing has to read the body all the same.
  const reading = microseconds(times, () => {
    JSON.parse(bytes.toString('utf8'));
  });
  return share(`validation of a request beyond JSON.parse (${what})`, check - reading, cpuMs * 1000, goal);
}

async function ofEvent(platform: Carrier): Promise<Figure> {
  await loadStreams(platform, { ...STREAMS, chunks: 80 });
  const { cpuMicroseconds } = await loadStreams(platform, STREAMS);
  const events = eventsOf(1000);
  const answer = microseconds(200, () => {
    const held = new StreamRules();
    for (const event of events) held.pass(event);
    held.end();
  });
  return share('the rules of the stream, of an event', answer / events.length, cpuMicroseconds, GOAL_EVENT);
}

function share(name: string, part: number, whole: number, goal: number): Figure {
  return {
    name,
    measured: `${((100 * part) / whole).toFixed(2)} %: ${part.toFixed(3)} µs of ${whole.toFixed(0)} µs`,
    goal: `at most ${100 * goal} %`,
    ok: part / whole <= goal,
  };
}

/** Processor time of one call, warmed up; the median of several rounds. */
function microseconds(times: number, call: () => void): number {
  const round = () => {
    const began = process.cpuUsage();
    for (let time = 0; time < times; time++) call();
    const { user, system } = process.cpuUsage(began);
    return (user + system) / times;
  };
  for (let warmed = 0; warmed < WARM_UP_CALLS; warmed += times) round();
  return median(Array.from({ length: ROUNDS }, round));
}

/** An answer of so many deltas, as the turn makes them. */
function eventsOf(deltas: number): StreamEvent[] {
  const at = { index: 0, block_id: 'block_0' };
  const usage = { input_tokens: 1, output_tokens: 1 };
  const delta = { type: 'text_delta', text: '~17:1764525600123.4;' } as const;
  const head = { id: 'msg_0', type: 'message', role: 'assistant', content: [] as never[], model: 'bench' } as const;
  return [
    { type: 'message_start', message: { ...head, stop_reason: null, stop_sequence: null, usage } },
    { type: 'content_block_start', ...at, content_block: { type: 'text', text: '' } },
    ...Array.from({ length: deltas }, (): StreamEvent => ({ type: 'content_block_delta', ...at, delta })),
    { type: 'content_block_stop', ...at, stop_timestamp: '2026-02-06T13:18:37.331257Z' },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage },
    { type: 'message_stop' },
  ];
}

/** The same question, with the tools and the system prompt of a coding agent. */
function agentRequest(small: string): string {
  const properties = Object.fromEntries(
    Array.from({ length: 8 }, (_, at) => [
      `field_${at}`,
      { type: ['string', 'null'], description: 'What the field is for, in a sentence or two. '.repeat(4) },
    ]),
  );
  const tools = Array.from({ length: 24 }, (_, at) => ({
    name: `tool_${at}`,
    description: 'What the tool does, and when it is the one to use. '.repeat(20),
    input_schema: { type: 'object', properties, required: ['field_0'], additionalProperties: false },
  }));
  const system = [
    { type: 'text', text: 'How to behave, at length. '.repeat(600), cache_control: { type: 'ephemeral' } },
  ];
  return JSON.stringify({ ...(JSON.parse(small) as object), system, tools });
}
