/** Many streams at once, as a process of its own: every chunk must come, in its order; how late is told. */
import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { runTask } from './helper-process';

export interface StreamTask {
  readonly port: number;
  readonly path: string;
  readonly body: string;
  readonly streams: number;
  /** What each stream must bring. */
  readonly chunks: number;
  /** The streams begin spread over this time. */
  readonly rampMs: number;
  /** Whether they are async messages: started by one request, read by another. */
  readonly background?: boolean;
}

export interface StreamResult {
  readonly arrived: number;
  readonly expected: number;
  readonly outOfOrder: number;
  /** Streams that did not come to their proper end, with the first reason. */
  readonly broken: number;
  readonly reason?: string;
  /** From the model server's write to the arrival here. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** From the first chunk to the last, of the slowest stream. */
  readonly longestMs: number;
}

interface Stream {
  arrived: number;
  outOfOrder: number;
  firstAt: number;
  lastAt: number;
}

const MARK = /~(\d+):([\d.]+);/g;

async function openStreams(task: StreamTask): Promise<StreamResult> {
  const agent = new Agent({ keepAlive: false, maxSockets: Infinity });
  const delays: number[] = [];
  const reasons: string[] = [];
  const streams = await Promise.all(
    Array.from({ length: task.streams }, async (_, number) => {
      await wait((task.rampMs * number) / task.streams);
      const stream: Stream = { arrived: 0, outOfOrder: 0, firstAt: 0, lastAt: 0 };
      await (task.background ? started(task, agent) : Promise.resolve(task))
        .then((from) => readStream(from, agent, stream, delays))
        .catch((error: Error) => reasons.push(error.message));
      return stream;
    }),
  );
  delays.sort((one, other) => one - other);
  const at = (share: number) => delays[Math.min(delays.length - 1, Math.floor(delays.length * share))] ?? NaN;
  return {
    arrived: streams.reduce((sum, { arrived }) => sum + arrived, 0),
    expected: task.streams * task.chunks,
    outOfOrder: streams.reduce((sum, { outOfOrder }) => sum + outOfOrder, 0),
    broken: reasons.length,
    reason: reasons[0],
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    maxMs: at(1),
    longestMs: Math.max(...streams.map(({ firstAt, lastAt }) => lastAt - firstAt)),
  };
}

/** What is to be asked for: a POST with a body, or a GET without. */
type Asked = Pick<StreamTask, 'port' | 'path'> & { readonly body?: string };

/** Starts an async message; where its events are. */
function started({ port, path, body }: StreamTask, agent: Agent): Promise<Asked> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(optionsOf({ port, path: `${path}/async`, body }, agent), (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.once('end', () => {
        const id = response.statusCode === 200 && /"message_id":"([^"]+)"/.exec(text)?.[1];
        if (id) resolve({ port, path: `${path}/async/${id}/stream` });
        else reject(new Error(`${response.statusCode}: ${text.slice(0, 300)}`));
      });
    });
    request.once('error', reject);
    request.end(body);
  });
}

function optionsOf({ port, path, body }: Asked, agent: Agent) {
  const to = { host: '127.0.0.1', port, path, agent };
  if (body === undefined) return to;
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  return { ...to, method: 'POST', headers };
}

function readStream(asked: Asked, agent: Agent, stream: Stream, delays: number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(optionsOf(asked, agent), (response) => {
      response.setEncoding('latin1');
      let rest = '';
      response.on('data', (text: string) => {
        const now = performance.timeOrigin + performance.now();
        if (response.statusCode !== 200) return void (rest += text);
        const unread = rest + text;
        let end = 0;
        for (const mark of unread.matchAll(MARK)) {
          if (Number(mark[1]) !== stream.arrived) stream.outOfOrder++;
          stream.arrived++;
          delays.push(now - Number(mark[2]));
          stream.firstAt ||= now;
          stream.lastAt = now;
          end = mark.index + mark[0].length;
        }
        // A mark may be cut by the end of a packet; the end of the stream is told by its last words.
        rest = unread.slice(Math.max(end, unread.length - 200));
      });
      response.once('end', () => {
        if (response.statusCode !== 200) return reject(new Error(`${response.statusCode}: ${rest.slice(0, 300)}`));
        if (/message_stop|\[DONE\]/.test(rest)) return resolve();
        reject(new Error(`the stream ended with: ${rest}`));
      });
      response.once('error', reject);
    });
    request.once('error', reject);
    request.end(asked.body);
  });
}

runTask(openStreams);
