import { Inject, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from './config/config';
import { DatabaseDialer, databaseDialer } from './egress/database-dialer';
import { OwnServices } from './egress/own-services';
import { webClient } from './egress/open-web-client';
import { WebClient } from './egress/web-client';
import { LOGGER, type Logger } from './logging/logger';

/**
 * What every other module may ask for: `CONFIG`, `LOGGER` and TypeORM's `DataSource`, made before Nest starts, and the
 * ways to the web and to databases.
 */
@Module({})
export class PlatformModule implements OnApplicationShutdown {
  constructor(@Inject(WebClient) private readonly web: WebClient) {}

  onApplicationShutdown(): Promise<void> {
    return this.web.close();
  }

  static forRoot(parts: { config: Config; logger: Logger; dataSource: DataSource }): DynamicModule {
    return {
      module: PlatformModule,
      global: true,
      providers: [
        { provide: CONFIG, useValue: parts.config },
        { provide: LOGGER, useValue: parts.logger },
        { provide: DataSource, useValue: parts.dataSource },
        { provide: OwnServices, useFactory: () => OwnServices.of(parts.config) },
        {
          provide: WebClient,
          inject: [OwnServices],
          useFactory: (own: OwnServices) => webClient(parts.config, own),
        },
        {
          provide: DatabaseDialer,
          inject: [OwnServices],
          useFactory: (own: OwnServices) => databaseDialer(parts.config, own),
        },
      ],
      exports: [CONFIG, LOGGER, DataSource, OwnServices, WebClient, DatabaseDialer],
    };
  }
}
