/** Builds the application from its configuration, and takes it down in the reverse order. */
import { ACCESS_ENTITIES } from '@app/access';
import { KNOWLEDGE_ENTITIES } from '@app/knowledge';
import { AsyncMessagesModule } from '@app/messages';
import {
  createLogger,
  openDatabase,
  OwnServices,
  tellUnknownSettings,
  type Config,
  type Database,
  type Logger,
} from '@app/platform';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import { DataSource } from 'typeorm';
import { MIGRATIONS } from '../../../migrations';
import { ApiModule } from './api.module';
import { serveDocs } from './docs';
import { Answers } from './http/answers';
import { createServer } from './http/server';
import { NestLog } from './nest-log';
import { openApiDocument } from './openapi';

/** How long answers in the making may go on once the server is told to stop; container runtimes kill after 10 s. */
const DRAIN_MS = 7000;

export interface RunningServer {
  readonly app: NestFastifyApplication;
  readonly logger: Logger;
  /** With the port that was really taken. */
  readonly url: string;
  /** Lets answers end, then closes everything, the database last. */
  stop(): Promise<void>;
}

/** @throws whatever kept it from starting; what had been opened is closed again. */
export async function bootServer(config: Config): Promise<RunningServer> {
  const logger = createLogger(config);
  tellUnknownSettings(config.unknownSettings, logger);
  const answers = new Answers(config);
  const database = await openDatabase(config, {
    entities: [...ACCESS_ENTITIES, ...KNOWLEDGE_ENTITIES],
    migrations: MIGRATIONS,
    logger,
  });
  let app: NestFastifyApplication | undefined;
  try {
    app = await createApp(config, { logger, answers, dataSource: database.dataSource });
    serveDocs(app, config);
    // What arrives at once waits to be taken, as many as may be open; the default, 511, resets the rest.
    const { host, port, maxConnections } = config.http;
    await app.listen({ port, host, backlog: maxConnections });
    const url = urlOf(app, config);
    // Known only now, where the port is 0.
    app.get(OwnServices).add(config.http.host, Number(new URL(url).port) || 80);
    return { app, logger, url, stop: () => stop(app!, answers, database) };
  } catch (error) {
    await app?.close();
    await database.close();
    throw error;
  }
}

/** What `GET /openapi.json` tells. Nothing is opened for it: in preview mode Nest knows the routes and makes no part. */
export async function describeApi(config: Config): Promise<OpenAPIObject> {
  const dataSource = new DataSource({ type: 'postgres' });
  const parts = { logger: createLogger(config), answers: new Answers(config), dataSource };
  return openApiDocument(await createApp(config, parts, { preview: true }), config);
}

interface Parts {
  readonly logger: Logger;
  readonly answers: Answers;
  readonly dataSource: DataSource;
}

async function createApp(
  config: Config,
  { logger, answers, dataSource }: Parts,
  { preview = false } = {},
): Promise<NestFastifyApplication> {
  const { adapter, routes } = createServer({ config, logger, answers });
  const module = ApiModule.forRoot({ config, logger, dataSource, answers, routes });
  return NestFactory.create<NestFastifyApplication>(module, adapter, {
    preview,
    bodyParser: false,
    abortOnError: false,
    logger: new NestLog(logger),
  });
}

async function stop(app: NestFastifyApplication, answers: Answers, database: Database): Promise<void> {
  const listener = app.getHttpServer();
  listener.close();
  listener.closeIdleConnections();
  // Runs are ended first, so that their readers hear of it.
  await Promise.all([app.get(AsyncMessagesModule).drain(DRAIN_MS - 1000), answers.drain(DRAIN_MS)]);
  await app.close();
  await database.close();
}

function urlOf(app: NestFastifyApplication, { http: { host } }: Config): string {
  const address = app.getHttpServer().address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
