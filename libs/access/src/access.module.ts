import { CONFIG, LOGGER, type Config, type Logger } from '@app/platform';
import { Inject, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AccessService } from './access.service';
import { AuditTrail } from './audit/audit-trail';
import { KeyService } from './keys/key.service';

@Module({
  providers: [
    {
      provide: AccessService,
      inject: [DataSource, CONFIG],
      useFactory: (dataSource: DataSource, config: Config) => new AccessService(dataSource, config),
    },
    { provide: KeyService, inject: [DataSource], useFactory: (dataSource: DataSource) => new KeyService(dataSource) },
    {
      provide: AuditTrail,
      inject: [DataSource, CONFIG, LOGGER],
      useFactory: (dataSource: DataSource, { audit }: Config, logger: Logger) =>
        new AuditTrail({ dataSource, logger, retentionMs: audit.retentionMs }),
    },
  ],
  exports: [AccessService, AuditTrail, KeyService],
})
export class AccessModule implements OnModuleInit, OnApplicationShutdown {
  constructor(@Inject(AuditTrail) private readonly audit: AuditTrail) {}

  onModuleInit(): void {
    this.audit.start();
  }

  /** Nest calls it when the last turn has ended. */
  onApplicationShutdown(): Promise<void> {
    return this.audit.close();
  }
}
