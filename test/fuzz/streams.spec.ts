/**
 * No stream that leaves the server is malformed, whatever a model server sends (messages-api §10, anthropic-compat §10).
 *
 * Each case is a request and the bytes of one to three answers of a model server, made from a seed: in the habits of
 * many servers, cut anywhere, half of them damaged. The answer is asked for twice, as a stream and as a message. The
 * stream is checked and folded by hand, folded by the official client, and both must be the message, or the same typed
 * error. Where nothing was damaged, the message must be what the model said.
 *
 * `FUZZ_SEED=7 FUZZ_STREAMS=1 npx jest test/fuzz` runs one case again; `FUZZ_STREAMS=1000000` runs for an hour.
 */
import { run } from './fuzzed-case';

const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 1_000_000_000);
const wanted = Number(process.env.FUZZ_STREAMS ?? 10_000);
/** More than these say nothing new. */
const MAX_FAILURES = 5;

it(`${wanted} fuzzed streams of a model server, from seed ${seed} on, leave as they should or as a typed error (§fuzzed-upstreams)`, async () => {
  const endings: Record<string, number> = {};
  const failures: string[] = [];
  let streams = 0;
  let known = 0;
  let cases = 0;
  for (; streams < wanted && failures.length < MAX_FAILURES; cases++) {
    try {
      const outcome = await run(seed + cases);
      streams += outcome.streams;
      known += Number(outcome.known);
      endings[outcome.ending] = (endings[outcome.ending] ?? 0) + 1;
    } catch (thrown) {
      const error = thrown as Error;
      const cause = error.cause instanceof Error ? `${error.cause.stack}\n` : '';
      failures.push(`FUZZ_SEED=${seed + cases} FUZZ_STREAMS=1\n${cause}${error.stack ?? error.message}`);
    }
  }
  expect(failures.join('\n\n')).toBe('');
  if (wanted < 1000) return;
  // It reaches everything that it is there for.
  expect(known).toBeGreaterThan(cases / 10);
  expect(Object.keys(endings)).toEqual(
    expect.arrayContaining(['api_error', 'end_turn', 'max_tokens', 'refusal', 'stop_sequence', 'tool_use']),
  );
}, 36_000_000);
