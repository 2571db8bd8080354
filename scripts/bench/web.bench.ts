import * as cheerio from 'cheerio';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { Agent } from 'undici';
import { loadConfig, OwnServices, webClient } from '@app/platform';
import { PageReader } from '../../libs/knowledge/src/web/page-reader';
import { readPage } from '../../libs/knowledge/src/web/read-page';
import { median, type Benchmark, type Figure } from './figure';

const MAX_PARSES = 4;
const MAX_ADDED_MS = 1;
const MAX_DELAY_MS = 20;
const PARALLEL = 50;
const FETCHES = 400;

/** Reading a page against the bare parse of cheerio; a fetch through the guard against undici; the main loop meanwhile. */
export const web: Benchmark = {
  name: 'web',
  async run() {
    return [await reading(), await guard(), await mainLoop()];
  },
};

async function reading(): Promise<Figure> {
  const html = pageOf(1_000_000);
  const page = fetched(html);
  const ours: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < 9; round++) {
    bare.push(await timed(() => cheerio.load(html)));
    ours.push(await timed(() => readPage(page, { maxPages: 1 })));
  }
  // The first rounds are those of the compiler.
  const [own, parse] = [median(ours.slice(2)), median(bare.slice(2))];
  return {
    name: 'reading a page, against the bare parse of cheerio',
    measured: `${own.toFixed(0)} ms a MB, ${(own / parse).toFixed(2)}× of ${parse.toFixed(0)} ms`,
    goal: `at most ${MAX_PARSES}×`,
    ok: own <= parse * MAX_PARSES,
  };
}

async function guard(): Promise<Figure> {
  const server = createServer(
    (_, response) => void response.setHeader('content-type', 'text/html').end(pageOf(20_000)),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const config = loadConfig({ WEB_ALLOW: `127.0.0.1:${port}` });
  const client = webClient(config, new OwnServices());
  const bare = new Agent();
  const origin = `http://127.0.0.1:${port}`;
  const limits = { maxWireBytes: 1e7, maxDecodedBytes: 1e7, totalMs: 10_000, settings: { size: '', time: '' } };
  const signal = new AbortController().signal;
  const guarded: number[] = [];
  const plain: number[] = [];
  for (let turn = 0; turn < FETCHES; turn++) {
    plain.push(await timed(async () => (await bare.request({ origin, path: '/', method: 'GET' })).body.arrayBuffer()));
    guarded.push(await timed(() => client.fetch({ url: `${origin}/`, organisationId: 'o', limits, signal })));
  }
  await Promise.all([client.close(), bare.destroy()]);
  server.close();
  const [own, without] = [median(guarded), median(plain)];
  return {
    name: 'a fetch through the guard, against bare undici',
    measured: `${own.toFixed(2)} ms, +${(own - without).toFixed(2)} ms`,
    goal: `at most +${MAX_ADDED_MS} ms`,
    ok: own - without <= MAX_ADDED_MS,
  };
}

async function mainLoop(): Promise<Figure> {
  const { ingestion, web: settings } = loadConfig({});
  const reader = new PageReader(ingestion, settings.readers);
  const signal = new AbortController().signal;
  try {
    await reader.read(fetched(pageOf(1000)), signal);
    const page = fetched(pageOf(500_000));
    await wait(200);
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const [ms] = [
      await timed(() =>
        Promise.all(Array.from({ length: PARALLEL }, () => reader.read(page, new AbortController().signal))),
      ),
    ];
    delay.disable();
    const p99 = delay.percentile(99) / 1e6;
    return {
      name: `delay of the main loop during ${PARALLEL} readings at once`,
      measured: `p99 ${p99.toFixed(1)} ms (all in ${(ms / 1000).toFixed(1)} s)`,
      goal: `under ${MAX_DELAY_MS} ms`,
      ok: p99 < MAX_DELAY_MS,
    };
  } finally {
    await reader.close();
  }
}

const fetched = (html: string) => ({
  url: 'http://bench.example/docs/page.html',
  status: 200,
  mediaType: 'text/html',
  charset: 'utf-8',
  headers: {},
  bytes: Buffer.from(html),
});

async function timed(work: () => unknown): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** A manual: chapters with prose, links, lists, code and tables, between navigation. */
function pageOf(bytes: number): string {
  const words = 'the level of the lake is read every morning before boats leave and written into a ledger'.split(' ');
  const sentence = (seed: number) =>
    `${Array.from({ length: 18 }, (_, at) => words[(seed * 7 + at * 5) % words.length]).join(' ')}.`;
  const chapters: string[] = [];
  for (let size = 0, chapter = 0; size < bytes; chapter++) {
    const rows = Array.from(
      { length: 6 },
      (_, row) => `<tr><td>${row}</td><td>${sentence(row)}</td><td>${chapter}</td></tr>`,
    );
    const items = Array.from(
      { length: 5 },
      (_, item) => `<li><a href="c${item}.html">${sentence(item)}</a> ${item}</li>`,
    );
    const text = `<div class="section"><h2 id="s${chapter}">Chapter ${chapter}</h2>
      <p>${sentence(chapter)} <b>${sentence(chapter + 1)}</b> <a href="../x.html#a">${sentence(2)}</a> <code>run()</code></p>
      <ul>${items.join('')}</ul><pre class="screen">$ gauge --read ${chapter}\n  ${sentence(chapter)}</pre>
      <div class="table"><table><thead><tr><th>No</th><th>What</th><th>In</th></tr></thead>${rows.join('')}</table></div></div>`;
    chapters.push(text);
    size += text.length;
  }
  const nav = Array.from({ length: 20 }, (_, item) => `<li><a href="n${item}.html">Part ${item}</a></li>`).join('');
  return `<!DOCTYPE html><html lang="en"><head><title>Manual</title></head><body><div class="navheader"><ul>${nav}</ul></div>
    <div class="book">${chapters.join('\n')}</div><div class="navfooter"><ul>${nav}</ul></div></body></html>`;
}
