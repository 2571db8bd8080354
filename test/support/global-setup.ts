// First: `@app/…` in the sources below means something only from then on.
import './ts-register.cjs';
// Here, because what a spec sets in its `process.env` never reaches native code.
import '../../libs/knowledge/src/index/lancedb-environment';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgres } from '../../libs/platform/src/database/embedded-postgres';
import { throwAwayFolder } from './throw-away-folder';

/**
 * One throw-away PostgreSQL for the whole run, at `TEST_DATABASE_URL`; each spec makes databases of its own in it
 * (`database.ts`). Children and workers that specs start can run our sources.
 */
export default async function globalSetup(): Promise<void> {
  const folder = await throwAwayFolder(tmpdir(), 'test');
  const logger = { info: () => undefined, warn: (...words: unknown[]) => console.warn(...words) };
  const server = await EmbeddedPostgres.start({ folder: join(folder, 'postgres'), logger, durable: false });
  process.env.TEST_DATABASE_URL = server.url;
  const hook = join(__dirname, 'ts-register.cjs').replaceAll('\\', '\\\\');
  process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} -r "${hook}"`.trim();
  Object.assign(globalThis, { __testDatabase: { server, folder } });
}
