/**
 * A plan on the OpenAI-compatible wire, in the habits of one of many model servers.
 *
 * Every habit keeps the meaning: whatever comes out of it, the plan was said. What breaks the meaning is in `damage.ts`.
 */
import type { Segment } from './plan';
import type { Random } from './random';

export const FINISHES = [
  'stop',
  'stop',
  'tool_calls',
  'length',
  'content_filter',
  'function_call',
  'eos_token',
] as const;

export interface Answer {
  /** Events of the stream, or one document, each as it stands on the wire. */
  readonly frames: readonly string[];
  readonly finish: string;
  /** What was said, in order. */
  readonly plan: readonly Segment[];
}

type Delta = Record<string, unknown>;
type Call = Extract<Segment, { type: 'call' }>;

const isCall = (segment: Segment): segment is Call => segment.type === 'call';

/** How this server writes calls. By index or by id, the pieces of different calls can always be told apart. */
interface CallHabits {
  readonly form: 'whole' | 'pieces' | 'object' | 'all so far';
  readonly index: boolean;
  readonly sameIndex: boolean;
  readonly id: 'unique' | 'none' | 'empty' | 'strange';
  /** What stands in the pieces after the first: nothing, the same again, or empty strings. */
  readonly later: 'nothing' | 'again' | 'empty';
}

function callHabits(random: Random): CallHabits {
  const form = random.pick(['whole', 'pieces', 'pieces', 'object', 'all so far'] as const);
  const byIndex = random.chance(0.7);
  const sameIndex = !byIndex && random.chance(0.5);
  const id = byIndex ? random.pick(['unique', 'none', 'empty', 'strange'] as const) : 'unique';
  const later = byIndex ? random.pick(['nothing', 'again', 'empty'] as const) : 'again';
  return { form, index: byIndex, sameIndex, id, later };
}

function idOf(random: Random, habit: CallHabits['id'], place: number): unknown {
  if (habit === 'none') return undefined;
  if (habit === 'empty') return '';
  if (habit === 'strange') return random.pick([`id with blanks ${place}`, `${'x'.repeat(300)}${place}`, place, null]);
  return `call_${place}_${random.below(1e9)}`;
}

function piecesOf(random: Random, call: Call, place: number, habits: CallHabits): Delta[] {
  const json = JSON.stringify(call.input);
  const id = idOf(random, habits.id, place);
  const index = habits.index ? place : habits.sameIndex ? 0 : undefined;
  let pieces: unknown[] = [json];
  if (habits.form === 'object') pieces = [call.input];
  if (habits.form === 'pieces') pieces = random.pieces(json, random.pick([1, 3, 20]));
  if (habits.form === 'all so far') {
    pieces = random.pieces(json, 12).reduce<string[]>((all, piece) => [...all, (all.at(-1) ?? '') + piece], []);
  }
  if (habits.form !== 'object' && random.chance(0.4)) pieces.unshift('');
  return pieces.map((piece, at) => {
    const known = at === 0 || habits.later === 'again' ? { id, name: call.name } : { id: undefined, name: undefined };
    const { id: said, name } = at > 0 && habits.later === 'empty' ? { id: '', name: '' } : known;
    return { index, id: said, type: 'function', function: { name, arguments: piece } };
  });
}

/** Heads in order; after them the pieces of several calls in any order that keeps each call's own. */
function interleaved(random: Random, calls: Delta[][]): Delta[] {
  const left = calls.map((pieces) => [...pieces]);
  const mixed: Delta[] = left.map((pieces) => pieces.shift()!);
  while (left.some((pieces) => pieces.length > 0)) {
    mixed.push(random.pick(left.filter((pieces) => pieces.length > 0)).shift()!);
  }
  return mixed;
}

function callDeltas(random: Random, calls: readonly Call[], from: number, habits: CallHabits): Delta[] {
  const each = calls.map((call, place) => piecesOf(random, call, from + place, habits));
  const mayMix = habits.index || habits.later === 'again';
  const deltas = mayMix && !habits.sameIndex && random.chance(0.4) ? interleaved(random, each) : each.flat();
  if (random.chance(0.2)) return [{ tool_calls: deltas }];
  return deltas.map((delta) => ({ tool_calls: [delta] }));
}

function contentOf(random: Random, text: string): unknown {
  switch (random.below(6)) {
    case 0:
      return [{ type: 'text', text }];
    case 1:
      return [text];
    default:
      return text;
  }
}

function deltasOf(random: Random, plan: readonly Segment[]): Delta[] {
  const habits = callHabits(random);
  const reasoning = random.pick([['reasoning_content'], ['reasoning'], ['reasoning_content', 'reasoning']]);
  const longest = random.pick([1, 4, 30, 200]);
  const deltas: Delta[] = [];
  let calls = 0;
  for (let at = 0; at < plan.length;) {
    const segment = plan[at]!;
    if (!isCall(segment)) {
      const pieces = random.pieces(segment.words, longest);
      if (segment.type === 'text') for (const piece of pieces) deltas.push({ content: contentOf(random, piece) });
      else for (const piece of pieces) deltas.push(Object.fromEntries(reasoning.map((field) => [field, piece])));
      at++;
      continue;
    }
    let end = at;
    while (end < plan.length && isCall(plan[end]!)) end++;
    deltas.push(...callDeltas(random, plan.slice(at, end).filter(isCall), calls, habits));
    calls += end - at;
    at = end;
  }
  return deltas;
}

/** Nothing is said by these. */
const nothing = (random: Random): object =>
  random.pick<object>([
    { choices: [] },
    { choices: [{ index: 0, delta: {} }] },
    { choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] },
    { choices: [{ index: 0, delta: { content: null, reasoning_content: null, tool_calls: null } }] },
    { choices: [{ index: 0, delta: { content: '', tool_calls: [] } }] },
    { choices: [{ index: 0, delta: null, finish_reason: null }] },
    { choices: [null, { index: 0, delta: {} }] },
    { choices: [{ index: 1, delta: { content: 'of another choice' } }] },
    { prompt_filter_results: [] },
    { id: 'x', usage: null, choices: [{ index: 0, delta: {}, finish_reason: '' }] },
  ]);

const usageOf = (random: Random): unknown =>
  random.pick([
    { prompt_tokens: 9, completion_tokens: 3 },
    { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12, prompt_tokens_details: { cached_tokens: 4 } },
    { prompt_tokens: 9, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 40 } },
    { prompt_tokens: 0, completion_tokens: 0, prompt_tokens_details: null },
    { prompt_tokens: '9', completion_tokens: -1 },
    { prompt_tokens: 9 },
    null,
  ]);

const ascii = (json: string) =>
  json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** One event, with what servers and proxies put around it. */
function framer(random: Random): (data: string) => string {
  const lineEnd = random.pick(['\n', '\n', '\r\n']);
  const before = random.pick(['data: ', 'data: ', 'data:']);
  const named = random.chance(0.15);
  return (data) => {
    const lines = [`${before}${data}`];
    if (named) lines.unshift('event: message');
    if (random.chance(0.03)) lines.unshift(random.pick([': keep-alive', ':', 'id: 7', 'retry: 3000', 'unknown']));
    return `${lines.join(lineEnd)}${lineEnd}${lineEnd}`;
  };
}

function finishOf(random: Random, plan: readonly Segment[]): string {
  const called = plan.some(isCall);
  return called && random.chance(0.7) ? 'tool_calls' : random.pick(FINISHES);
}

/** The plan as a stream of chunks. */
export function streamed(random: Random, plan: readonly Segment[]): Answer {
  const frame = framer(random);
  const encode = random.chance(0.2) ? (value: object) => ascii(JSON.stringify(value)) : JSON.stringify;
  const finish = finishOf(random, plan);
  const usage = random.pick(['last', 'last', 'with the end', 'always', 'twice', 'never'] as const);
  const chunks: Record<string, unknown>[] = deltasOf(random, plan).map((delta) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: null }],
    ...(usage === 'always' && { usage: usageOf(random) }),
  }));
  for (const at of random.list(3, () => random.below(chunks.length + 1))) {
    chunks.splice(at, 0, nothing(random) as Record<string, unknown>);
  }
  if (random.chance(0.3) && chunks.length > 0) {
    // The reason may come with the last words.
    const last = chunks.at(-1)!;
    const [choice] = (last.choices ?? []) as Record<string, unknown>[];
    if (choice && choice.index === 0) choice.finish_reason = finish;
    else chunks.push({ choices: [{ index: 0, delta: {}, finish_reason: finish }] });
  } else
    chunks.push({ choices: [{ index: 0, delta: random.chance(0.5) ? {} : { content: '' }, finish_reason: finish }] });
  if (usage === 'with the end') chunks.at(-1)!.usage = usageOf(random);
  if (usage === 'last' || usage === 'twice') chunks.push({ choices: [], usage: usageOf(random) });
  if (usage === 'twice') chunks.push({ choices: [], usage: usageOf(random) });
  const frames = chunks.map((chunk) => frame(encode(chunk)));
  switch (random.below(5)) {
    case 0:
      break;
    case 1:
      frames.push('data: [DONE]');
      break;
    default:
      frames.push(frame('[DONE]'));
      if (random.chance(0.1)) frames.push(frame('[DONE]'), 'data: what follows is of no interest\n\n');
  }
  if (random.chance(0.1)) frames.unshift(random.pick(['\ufeff', '\n', ':\n\n', 'retry: 3000\n\n']));
  return { frames, finish, plan };
}

/** The plan as the one document of a server that does not stream; there, thinking comes first and calls last. */
export function document(random: Random, given: readonly Segment[]): Answer {
  const calls = given.filter(isCall);
  const spoken = (type: Segment['type']) =>
    given.flatMap((segment) => (segment.type === type && !isCall(segment) ? [segment.words] : [])).join('');
  const [thinking, text] = [spoken('thinking'), spoken('text')];
  const plan: Segment[] = [
    ...(thinking ? [{ type: 'thinking' as const, words: thinking }] : []),
    ...(text ? [{ type: 'text' as const, words: text }] : []),
    ...calls,
  ];
  const finish = finishOf(random, plan);
  const asObjects = random.chance(0.4);
  const message = {
    role: 'assistant',
    content: text === '' ? null : contentOf(random, text),
    ...(thinking && { [random.pick(['reasoning_content', 'reasoning'])]: thinking }),
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ name, input }, place) => ({
        id: random.chance(0.7) ? `call_${place}` : undefined,
        type: 'function',
        function: { name, arguments: asObjects ? input : JSON.stringify(input) },
      })),
    }),
  };
  const whole = { object: 'chat.completion', choices: [{ index: 0, message, finish_reason: finish }] };
  const usage = random.chance(0.7) ? { usage: usageOf(random) } : {};
  return { frames: [JSON.stringify({ ...whole, ...usage }, undefined, random.pick([undefined, 2]))], finish, plan };
}

/** An answer that says this plan, however. */
export const answerOf = (random: Random, plan: readonly Segment[]): Answer =>
  random.chance(0.08) ? document(random, plan) : streamed(random, plan);
