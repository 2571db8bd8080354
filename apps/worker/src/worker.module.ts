import { AsyncMessagesModule } from '@app/messages';
import { PlatformModule, type Config, type Logger } from '@app/platform';
import { Module, type DynamicModule } from '@nestjs/common';
import type { DataSource } from 'typeorm';

export interface WorkerParts {
  readonly config: Config;
  readonly logger: Logger;
  readonly dataSource: DataSource;
}

/** The libs that register job handlers; everything that those need comes with them. */
@Module({})
export class WorkerModule {
  static forRoot(parts: WorkerParts): DynamicModule {
    return { module: WorkerModule, imports: [PlatformModule.forRoot(parts), AsyncMessagesModule] };
  }
}
