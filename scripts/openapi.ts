/** `npm run openapi`: writes `openapi.json`. Needs no database and no server. */
import { environmentSchema } from '@app/platform';
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import 'reflect-metadata';
import { describeApi } from '../apps/api/src/api.module';

const FILE = 'openapi.json';

const { PATH_PREFIX } = environmentSchema.parse({});
const document = describeApi(PATH_PREFIX);
writeFileSync(resolve(FILE), `${JSON.stringify(document, null, 2)}\n`);
console.log(`${FILE}: ${Object.keys(document.paths).length} paths`);
