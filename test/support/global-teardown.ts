import { rm } from 'node:fs/promises';

export default async function globalTeardown(): Promise<void> {
  const { __testDatabase } = globalThis as any;
  await __testDatabase.server.stop();
  await rm(__testDatabase.folder, { recursive: true, force: true });
}
