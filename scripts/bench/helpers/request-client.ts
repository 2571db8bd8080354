/**
 * Whole requests, one after another on each of a few connections, as a process of its own.
 *
 * Writes the same bytes again and again to plain sockets, so that the client costs a fraction of what it measures.
 */
import { connect, type Socket } from 'node:net';
import { runTask } from './helper-process';

export interface RequestTask {
  readonly port: number;
  readonly path: string;
  readonly body: string;
  readonly connections: number;
  readonly seconds: number;
  /** Ends earlier once so many were answered. */
  readonly enough?: number;
}

export interface RequestResult {
  readonly requests: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

async function load(task: RequestTask): Promise<RequestResult> {
  const head = `POST ${task.path} HTTP/1.1\r\nhost: 127.0.0.1:${task.port}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(task.body)}\r\n\r\n`;
  const bytes = Buffer.from(head + task.body);
  const times: number[] = [];
  const enough = task.enough ?? Infinity;
  const started = performance.now();
  const until = started + task.seconds * 1000;
  await Promise.all(
    Array.from({ length: task.connections }, () =>
      oneConnection(task.port, bytes, times, () => performance.now() >= until || times.length >= enough),
    ),
  );
  const seconds = (performance.now() - started) / 1000;
  times.sort((one, other) => one - other);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { requests: times.length, seconds, p50Ms: at(0.5), p99Ms: at(0.99) };
}

function oneConnection(port: number, bytes: Buffer, times: number[], isOver: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let began = 0;
    const send = () => {
      began = performance.now();
      socket.write(bytes);
    };
    const answered = () => {
      times.push(performance.now() - began);
      if (!isOver()) return send();
      socket.off('close', cut);
      socket.destroy();
      resolve();
    };
    const cut = () => reject(new Error('the connection was cut'));
    socket.once('connect', send);
    socket.once('error', reject);
    socket.once('close', cut);
    readAnswers(socket, answered, reject);
  });
}

/** Finds the end of each answer by its `content-length` or its last chunk; nothing else of it is looked at. */
function readAnswers(socket: Socket, answered: () => void, failed: (error: Error) => void): void {
  let head = '';
  let remaining = -1;
  let tail = '';
  socket.on('data', (data: Buffer) => {
    let body = data;
    if (remaining === -1) {
      head += data.toString('latin1');
      const end = head.indexOf('\r\n\r\n');
      if (end === -1) return;
      if (!head.startsWith('HTTP/1.1 200')) return failed(new Error(`the server answered: ${head.slice(0, 600)}`));
      const length = /content-length: (\d+)/i.exec(head.slice(0, end))?.[1];
      body = Buffer.from(head.slice(end + 4), 'latin1');
      remaining = length === undefined ? Infinity : Number(length);
    }
    remaining -= body.length;
    tail = (tail + body.subarray(-5).toString('latin1')).slice(-5);
    if (remaining > 0 && !(remaining === Infinity && tail === '0\r\n\r\n')) return;
    head = '';
    tail = '';
    remaining = -1;
    answered();
  });
}

runTask(load);
