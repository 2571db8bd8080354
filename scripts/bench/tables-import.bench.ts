import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { ChildPool } from '@app/platform';
import { DuckDBInstance } from '@duckdb/node-api';
import type { ReadDocument } from '../../libs/knowledge/src/ingestion/document-reader';
import { DIALECT_BYTES } from '../../libs/knowledge/src/tables/delimited-dialect';
import { median, type Benchmark } from './figure';

const MB = 1_000_000;
const ROUNDS = 3;
const CITIES = ['Madrid', 'Sevilla', 'Málaga', 'London', 'New York', '"Palma, Mallorca"'];
/** What a parser process may have; beyond it the job is killed. */
const MEMORY_MB = 512;

/**
 * A CSV file made into a table in a parser process, against DuckDB's own reader writing the same Parquet; and one of a
 * gigabyte within the memory of such a process.
 */
export const tablesImport: Benchmark = {
  name: 'tables-import',
  longestMs: 900_000,
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'tables-import-'));
    const pool = new ChildPool({
      name: 'parser',
      task: require.resolve('../../libs/knowledge/src/ingestion/parse.task'),
      size: 1,
      memoryMb: MEMORY_MB,
      timeoutMs: 900_000,
    });
    try {
      const small = join(folder, 'small');
      const rows = await makeCsv(small, 100 * MB);
      await importTable(pool, small);
      const [ours, theirs]: [number[], number[]] = [[], []];
      for (let round = 0; round < ROUNDS; round++) {
        ours.push(await timed(() => importTable(pool, small)));
        theirs.push(await timed(() => ownReader(small)));
      }
      const ratio = median(ours) / median(theirs);
      const spanish = join(folder, 'spanish');
      await makeCsv(spanish, 100 * MB, spanishOrder);
      const commas = await timed(() => importTable(pool, spanish));
      const large = join(folder, 'large');
      await makeCsv(large, 1000 * MB);
      const delay = monitorEventLoopDelay({ resolution: 5 });
      delay.enable();
      const took = await timed(() => importTable(pool, large));
      delay.disable();
      const stall = delay.percentile(99) / 1e6;
      return [
        { name: `CSV of 100 MB (${rows} rows) by DuckDB's own reader`, measured: seconds(median(theirs)) },
        {
          name: 'the same made a table, with types and report',
          measured: `${seconds(median(ours))}, ${ratio.toFixed(2)}×`,
          goal: 'at most 2×',
          ok: ratio <= 2,
        },
        {
          name: 'CSV of 100 MB with semicolons, decimal commas, currency, days first and CRLF',
          measured: seconds(commas),
        },
        {
          name: `CSV of 1 GB in a process of ${MEMORY_MB} MiB`,
          measured: `${seconds(took)}, main loop p99 ${stall.toFixed(0)} ms, at most ${(delay.max / 1e6).toFixed(0)} ms`,
          goal: 'not killed; main loop p99 under 50 ms',
          ok: stall < 50,
        },
      ];
    } finally {
      await pool.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function importTable(pool: ChildPool, folder: string): Promise<void> {
  const path = join(folder, 'source');
  const file = { name: 'sales.csv', bytes: beginningOf(path), path };
  const job = { as: 'passages', file, limits: { maxPages: 1 }, maxWords: 80, maxChunks: 50_000, folder };
  const { tables } = await pool.run<ReadDocument>(job);
  if (tables[0]?.report.columns.length !== 8) throw new Error('the table has not all of its columns');
}

/** As much as a parser is given of a file that it reads in pieces. */
function beginningOf(path: string): Buffer {
  const file = openSync(path, 'r');
  const bytes = Buffer.alloc(DIALECT_BYTES);
  const beginning = bytes.subarray(0, readSync(file, bytes));
  closeSync(file);
  return beginning;
}

async function ownReader(folder: string): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '2' });
  const connection = await instance.connect();
  await connection.run(`COPY (SELECT * FROM read_csv('${folder}/source')) TO '${folder}/own.parquet'`);
  connection.closeSync();
  instance.closeSync();
}

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;

interface Order {
  readonly header: string;
  line(id: number, random: (below: number) => number): string;
}

const moment = (random: (below: number) => number) =>
  new Date(1.6e12 + random(1e8) * 1000).toISOString().slice(0, 19).replace('T', ' ');
const postcode = (random: (below: number) => number) => String(random(100_000)).padStart(5, '0');

const plainOrder: Order = {
  header: 'id,postcode,name,city,amount,quantity,ordered_at,paid\n',
  line: (id, random) =>
    `${id},${postcode(random)},Customer ${random(200_000)},${CITIES[random(6)]},${random(1_000_000) / 100},${random(50)},${moment(random)},${random(2) ? 'yes' : 'no'}\n`,
};

const spanishOrder: Order = {
  header: 'id;cp;cliente;ciudad;importe;descuento;alta;pagado\r\n',
  line(id, random) {
    const [year, month, rest] = moment(random).split('-') as [string, string, string];
    const amount = `${random(999) + 1}.${String(random(1000)).padStart(3, '0')},${String(random(100)).padStart(2, '0')} €`;
    return `${id};${postcode(random)};Cliente ${random(200_000)};${CITIES[random(6)]};${amount};${random(100)},5 %;${rest.slice(0, 2)}/${month}/${year} ${rest.slice(3, 8)};${random(2) ? 'sí' : 'no'}\r\n`;
  },
};

/** Orders: codes with leading zeros, quoted names, decimals, times, yes and no. @returns how many. */
async function makeCsv(folder: string, bytes: number, order = plainOrder): Promise<number> {
  await mkdir(folder, { recursive: true });
  const file = openSync(join(folder, 'source'), 'w');
  let rows = 0;
  let seed = 12_345;
  const random = (below: number) => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % below;
  let text = order.header;
  for (let written = 0; written < bytes; text = '') {
    while (text.length < MB) {
      text += order.line(++rows, random);
    }
    written += writeSync(file, text);
  }
  closeSync(file);
  return rows;
}
