/** What goes wrong between a model and us: lost, doubled and mixed-up pieces, garbage, errors, early ends. */
import { json } from './plan';
import type { Random } from './random';

/** What comes over the socket, and whether the connection breaks at the end of it. */
export interface Arriving {
  readonly bytes: Buffer;
  readonly breaks: boolean;
}

export const whole = (frames: readonly string[]): Arriving => ({ bytes: Buffer.from(frames.join('')), breaks: false });

export function damaged(random: Random, given: readonly string[]): Arriving {
  const frames = [...given];
  for (let times = 1 + random.below(3); times > 0; times--) damageFrames(random, frames);
  let bytes = Buffer.from(frames.join(''));
  if (random.chance(0.25)) bytes = bytes.subarray(0, random.below(bytes.length + 1));
  if (random.chance(0.1) && bytes.length > 0) {
    bytes = Buffer.from(bytes);
    bytes[random.below(bytes.length)] = random.pick([0, 0xff, 0xc3, 0x0a, 0x7b, 0x22]);
  }
  return { bytes, breaks: random.chance(0.15) };
}

function damageFrames(random: Random, frames: string[]): void {
  const at = random.below(frames.length);
  switch (random.below(9)) {
    case 0:
      frames.splice(at, 1);
      break;
    case 1:
      frames.splice(at, 0, frames[at] ?? '');
      break;
    case 2:
      frames.push(...frames.splice(at, 1 + random.below(2)));
      break;
    case 3:
      frames.sort(() => random.next() - 0.5);
      break;
    case 4:
      frames.splice(at, 0, random.pick(GARBAGE));
      break;
    case 5:
      frames.splice(at, 0, `data: ${JSON.stringify(random.pick(ERRORS))}\n\n`);
      break;
    default:
      frames[at] = changed(random, frames[at] ?? '');
  }
}

const GARBAGE = [
  'data: {"choices":[{"delta":{"content":"half\n\n',
  'data: not json\n\n',
  'data: 7\n\n',
  'data: null\n\n',
  'data: []\n\n',
  'data: ""\n\n',
  'data: {"choices":{}}\n\n',
  'data: {"choices":[7,"x",[]]}\n\n',
  'data: {"choices":[{"delta":{"tool_calls":[null,7,{},{"function":null},{"function":{"arguments":7}}]}}]}\n\n',
  'data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"}"}}]}}]}\n\n',
  'data: {"choices":[{"delta":{"tool_calls":[{"index":5,"id":"a","function":{"name":"nowhere","arguments":"[1]"}}]}}]}\n\n',
  'data: {"choices":[{"delta":{"tool_calls":[{"index":-1,"function":{"name":"note"}},{"index":1e99,"function":{"name":"note"}}]}}]}\n\n',
  'data: {"choices":[{"delta":{"function_call":{"name":"note","arguments":"{"}}}]}\n\n',
  'data: {"choices":[{"delta":{"content":"\\u0000\\ud83d"}}]}\n\n',
  'data: {"choices":[{"delta":{"content":"more"},"finish_reason":"stop"}]}\n\n',
  'data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"late","function":{"name":"note","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}\n\n',
  'data: {"choices":[{"delta":{},"finish_reason":"error"}]}\n\n',
  'data: {"choices":[{"delta":{},"finish_reason":7}]}\n\n',
  'data: {"choices":[{"delta":{"content":{"text":"x"},"reasoning":7}}]}\n\n',
  'data: [DONE]\n\n',
  'data\n\n',
  'data:\n\n',
  '<html><body>502</body></html>\n',
  '\r\n',
  'event: error\ndata: {"message":"x"}\n\n',
  'data: {"choices":\ndata: []}\n\n',
  ': \ud83d\n',
];

const ERRORS = [
  { error: { message: 'boom', type: 'server_error', code: null } },
  { error: 'boom' },
  { error: { code: 429, message: 'slow down' } },
  { error: { code: 'context_length_exceeded', message: 'maximum context length is 4096 tokens' } },
  { error: null },
  { error: {} },
  { error: { message: 'bad request', status: 400 } },
];

/** One value of the frame's JSON exchanged for another, or left out. */
function changed(random: Random, frame: string): string {
  const data = /\{.*\}/s.exec(frame)?.[0];
  let value: unknown;
  try {
    value = JSON.parse(data ?? '');
  } catch {
    return frame.slice(0, random.below(frame.length + 1));
  }
  const places: [Record<string, unknown>, string][] = [];
  const visit = (inside: unknown): void => {
    if (typeof inside !== 'object' || inside === null) return;
    for (const key of Object.keys(inside)) {
      places.push([inside as Record<string, unknown>, key]);
      visit((inside as Record<string, unknown>)[key]);
    }
  };
  visit(value);
  if (places.length === 0) return frame;
  const [holder, key] = random.pick(places);
  if (random.chance(0.3)) delete holder[key];
  else holder[key] = json(random);
  return frame.replace(data!, () => JSON.stringify(value));
}
