/**
 * A model server for load, as a process of its own: speaks the OpenAI wire over a real socket, as cheaply as it can.
 *
 * The prompt says how to answer: `BENCH <chunks> <ms between two chunks>`; 0 ms is all at once. Every chunk carries its
 * number and the time at which it was written, `~17:1764525600123.4;`, so that the reader can tell loss, order and
 * delay.
 */
import { createServer, type ServerResponse } from 'node:http';
import { tellPort } from './helper-process';

const MODEL = 'bench-model';

/** Resolution of the beat that all running answers share. */
const TICK_MS = 5;

const head = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' };
const frame = (choice: object) =>
  `data: {"id":"chatcmpl-bench","object":"chat.completion.chunk","created":1764525600,"model":"${MODEL}","choices":[${JSON.stringify({ index: 0, ...choice })}]}\n\n`;
const [before, after] = frame({ delta: { content: '\u0000' }, finish_reason: null }).split('\\u0000') as [
  string,
  string,
];
const opening = frame({ delta: { role: 'assistant', content: '' }, finish_reason: null });
const ending =
  frame({ delta: {}, finish_reason: 'stop' }) +
  `data: {"id":"chatcmpl-bench","object":"chat.completion.chunk","created":1764525600,"model":"${MODEL}","choices":[],"usage":{"prompt_tokens":9,"completion_tokens":16,"total_tokens":25}}\n\n` +
  'data: [DONE]\n\n';
const chunk = (number: number, now: number) => `${before}~${number}:${now.toFixed(1)};${after}`;

interface Answer {
  readonly response: ServerResponse;
  readonly chunks: number;
  readonly every: number;
  sent: number;
  next: number;
}

const running = new Set<Answer>();

function beat(): void {
  const now = performance.now();
  for (const answer of running) {
    if (answer.next > now) continue;
    // One chunk a beat even when late: a burst would be a load that no model makes.
    answer.next += answer.every;
    answer.response.write(chunk(answer.sent++, performance.timeOrigin + now));
    if (answer.sent < answer.chunks) continue;
    running.delete(answer);
    answer.response.end(ending);
  }
}

const wholes = new Map<number, Buffer>();

/** The same bytes each time: what is measured is who carries them. */
function whole(chunks: number): Buffer {
  const known = wholes.get(chunks);
  if (known) return known;
  const text = opening + Array.from({ length: chunks }, (_, number) => chunk(number, 0)).join('') + ending;
  const bytes = Buffer.from(text);
  wholes.set(chunks, bytes);
  return bytes;
}

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  if (request.method === 'GET') {
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({ object: 'list', data: [{ id: MODEL, object: 'model', created: 0, owned_by: 'bench' }] }),
    );
    return;
  }
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const [, chunks = '1', every = '0'] = /BENCH (\d+) (\d+)/.exec(Buffer.concat(parts).toString('latin1')) ?? [];
    response.writeHead(200, head);
    if (every === '0') return response.end(whole(Number(chunks)));
    const answer = { response, chunks: Number(chunks), every: Number(every), sent: 0, next: performance.now() };
    response.once('close', () => running.delete(answer));
    response.write(opening);
    running.add(answer);
  });
});

setInterval(beat, TICK_MS);
tellPort(server);
