/** One case of the fuzz, all of it decided by its seed. */
import { comparable } from './comparable';
import { damaged, whole, type Arriving } from './damage';
import { foldByOfficialClient } from './official-client';
import type { Segment } from './plan';
import { failed, message, stream, type Asked, type Pieces } from './platform';
import { Random } from './random';
import { fuzzedRequest, planFor, SERVER_TOOL } from './requests';
import { foldWellFormed, type Folded } from './well-formed';
import { answerOf, streamed, type Answer } from './wire';

export interface Outcome {
  /** Answers of the model server that were read; each was read twice, cut in two ways. */
  readonly streams: number;
  /** How the answer ended: a stop reason, or the type of an error. */
  readonly ending: string;
  /** Whether what was said is known, and was compared. */
  readonly known: boolean;
}

/** When the model is asked more often than a case has answers. */
const AFTERWARDS = whole(streamed(new Random(1), [{ type: 'text', words: 'That is all.' }]).frames);

interface Case extends ReturnType<typeof fuzzedRequest> {
  readonly answers: readonly Answer[];
  readonly arriving: readonly Arriving[];
  readonly intact: boolean;
}

export function caseOf(random: Random, serverTool: object): Case {
  const request = fuzzedRequest(random, serverTool);
  const answers = Array.from({ length: 1 + random.below(3) }, () => answerOf(random, planFor(random, request)));
  const intact = random.chance(0.45);
  const arriving = answers.map(({ frames }) =>
    intact || random.chance(0.3) ? whole(frames) : damaged(random, frames),
  );
  return { ...request, answers, arriving, intact };
}

/** @throws Error that says in what the answers differ, or which rule a stream breaks. */
export async function run(seed: number): Promise<Outcome> {
  const random = new Random(seed);
  const made = caseOf(random, { name: SERVER_TOOL, type: 'lookup_v1' });
  const dialect = made.anthropic ? 'anthropic' : 'native';
  let streams = 0;
  // The same bytes, cut anew: the network has no say in what an answer is.
  const cutAnew = (): Asked => ({
    ...made,
    slow: random.pick([0, 1, 3]),
    arriving: (call) => {
      streams = Math.max(streams, call + 1);
      return cut(random, made.arriving[call] ?? AFTERWARDS);
    },
  });

  const collected = await message(cutAnew());
  const { raw, refused, thrown } = await stream(cutAnew());
  for (const error of [thrown, collected.thrown]) {
    if (error !== undefined && (error as Error).message === 'Internal error') throw error;
  }
  const byHand = raw === undefined ? failed(refused!) : foldWellFormed(raw, dialect);
  same('the stream folded by hand', byHand, 'collectMessage', collected);
  if (raw !== undefined) {
    const official = await foldByOfficialClient(random.cut(Buffer.from(raw)));
    same('the stream folded by the official client', official, 'collectMessage', collected, { cited: false });
  }
  const expected = made.intact ? expectation(made) : undefined;
  if (expected !== undefined) {
    const said = JSON.stringify(saidIn(collected));
    if (said !== JSON.stringify(expected)) {
      throw new Error(`said was\n  ${JSON.stringify(expected)}\nand told was\n  ${said}`);
    }
  }
  const ending = collected.error?.type ?? collected.stopReason!;
  return { streams, ending, known: expected !== undefined };
}

const cut = (random: Random, { bytes, breaks }: Arriving): Pieces => ({
  pieces: random.cut(bytes),
  breaks,
  late: random.pick([0, 1, 2, 5]),
});

export function same(what: string, one: Folded, than: string, other: Folded, options?: { cited: boolean }): void {
  const [left, right] = [comparable(one, options), comparable(other, options)];
  if (left !== right) throw new Error(`${what}:\n  ${left}\n${than}:\n  ${right}`);
}

/** What the caller must be told where the first answer is simple enough to know: texts and calls, in order. */
function expectation({ body, answers, offered }: Case): unknown[] | undefined {
  const { plan } = answers[0]!;
  const { thinking, system, output_config, stop_sequences } = body;
  const choice = body.tool_choice as { type: string; disable_parallel_tool_use?: boolean } | undefined;
  const calls = plan.flatMap((segment) => (segment.type === 'call' ? [segment] : []));
  if (output_config || (system as any)?.citations?.enabled || stop_sequences) return undefined;
  if (choice && choice.type !== 'auto') return undefined;
  // A text may turn out to be thinking, or to begin with it.
  if (plan.some((segment) => segment.type === 'text' && segment.words.includes('<think>'))) return undefined;
  if (calls.some(({ name, input }) => !offered.includes(name) || name === SERVER_TOOL || !fits(name, input)))
    return undefined;
  const told = plan.filter(
    (segment) =>
      (segment.type !== 'thinking' || thinking) &&
      (segment.type !== 'call' || !choice?.disable_parallel_tool_use || segment === calls[0]),
  );
  return merged(
    told.map((segment) => (segment.type === 'call' ? { call: segment.name, input: segment.input } : word(segment))),
  );
}

const word = (segment: Exclude<Segment, { type: 'call' }>) => ({ [segment.type]: segment.words });

const fits = (name: string, { city, days }: Record<string, unknown>) =>
  name !== 'get_weather' || (typeof city === 'string' && (days == null || Number.isInteger(days)));

const saidIn = ({ content, error }: Folded): unknown =>
  error ??
  merged(
    content.map(({ type, name, input, text, thinking }) =>
      type === 'tool_use' ? { call: name, input } : { [type]: text ?? thinking },
    ),
  );

/** Neighbours of one kind as one: where a text is split says nothing. */
function merged(said: Record<string, any>[]): Record<string, unknown>[] {
  return said.reduce<Record<string, any>[]>((all, one) => {
    const last = all.at(-1);
    for (const kind of ['text', 'thinking']) {
      if (last && typeof last[kind] === 'string' && typeof one[kind] === 'string') {
        last[kind] += one[kind];
        return all;
      }
    }
    return [...all, { ...one }];
  }, []);
}
