/** `npm run openapi`: writes `openapi.json`. Needs no database and no server. */
import { loadConfig } from '@app/platform';
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import 'reflect-metadata';
import { describeApi } from '../apps/api/src/boot';

const FILE = 'openapi.json';

async function main(): Promise<void> {
  const document = await describeApi(loadConfig({ LOG_LEVEL: 'silent' }));
  writeFileSync(resolve(FILE), `${JSON.stringify(document, null, 2)}\n`);
  console.log(`${FILE}: ${Object.keys(document.paths).length} paths`);
}

void main();
