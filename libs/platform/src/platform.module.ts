import { Module, type DynamicModule } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from './config/config';
import { LOGGER, type Logger } from './logging/logger';

/** What every other module may ask for: `CONFIG`, `LOGGER` and TypeORM's `DataSource`, made before Nest starts. */
@Module({})
export class PlatformModule {
  static forRoot(parts: { config: Config; logger: Logger; dataSource: DataSource }): DynamicModule {
    return {
      module: PlatformModule,
      global: true,
      providers: [
        { provide: CONFIG, useValue: parts.config },
        { provide: LOGGER, useValue: parts.logger },
        { provide: DataSource, useValue: parts.dataSource },
      ],
      exports: [CONFIG, LOGGER, DataSource],
    };
  }
}
