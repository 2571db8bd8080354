import { AccessModule } from '@app/access';
import { KnowledgeModule } from '@app/knowledge';
import { AsyncMessagesModule, MessagesModule } from '@app/messages';
import { ModelsModule } from '@app/models';
import { PlatformModule, type Config, type Logger } from '@app/platform';
import { ToolsModule } from '@app/tools';
import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import type { DataSource } from 'typeorm';
import { ArtifactsController } from './artifacts/artifacts.controller';
import { HealthController } from './health.controller';
import { AccessGuard } from './http/access.guard';
import { Answers } from './http/answers';
import { ErrorFilter } from './http/error.filter';
import { Routes } from './http/routes';
import { SchemaPipe } from './http/schema.pipe';
import { StreamClock } from './http/stream-clock';
import { AsyncMessagesController } from './messages/async-messages.controller';
import { CompleteController } from './messages/complete.controller';
import { MessagesController } from './messages/messages.controller';
import { ModelsController } from './models/models.controller';
import { EmbeddingsController } from './search/embeddings.controller';
import { SearchController } from './search/search.controller';
import { ToolsController } from './tools/tools.controller';

export interface ApiParts {
  readonly config: Config;
  readonly logger: Logger;
  readonly dataSource: DataSource;
  readonly answers: Answers;
  readonly routes: Routes;
}

@Module({})
export class ApiModule {
  static forRoot({ answers, routes, ...platform }: ApiParts): DynamicModule {
    return {
      module: ApiModule,
      imports: [
        PlatformModule.forRoot(platform),
        AccessModule,
        ModelsModule,
        KnowledgeModule,
        ToolsModule,
        MessagesModule,
        AsyncMessagesModule,
      ],
      controllers: [
        MessagesController,
        CompleteController,
        AsyncMessagesController,
        ModelsController,
        ArtifactsController,
        SearchController,
        EmbeddingsController,
        ToolsController,
        HealthController,
      ],
      providers: [
        StreamClock,
        { provide: Answers, useValue: answers },
        { provide: Routes, useValue: routes },
        AccessGuard,
        { provide: APP_GUARD, useExisting: AccessGuard },
        { provide: APP_FILTER, useClass: ErrorFilter },
        { provide: APP_PIPE, useClass: SchemaPipe },
      ],
    };
  }
}
