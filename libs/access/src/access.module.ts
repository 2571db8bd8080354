import { CONFIG, type Config } from '@app/platform';
import { Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AccessService } from './access.service';
import { KeyService } from './keys/key.service';

@Module({
  providers: [
    {
      provide: AccessService,
      inject: [DataSource, CONFIG],
      useFactory: (dataSource: DataSource, config: Config) => new AccessService(dataSource, config),
    },
    { provide: KeyService, inject: [DataSource], useFactory: (dataSource: DataSource) => new KeyService(dataSource) },
  ],
  exports: [AccessService, KeyService],
})
export class AccessModule {}
