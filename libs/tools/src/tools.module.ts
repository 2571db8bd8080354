import { KnowledgeModule, Retriever } from '@app/knowledge';
import { LOGGER, type Logger } from '@app/platform';
import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { semanticSearch } from './built-in/semantic-search.tool';
import { unavailableTools } from './built-in/unavailable.tool';
import { SchemaCheck } from './custom/schema-check';
import { Toolkit } from './toolkit';

/** The one place that says which built-in tools this server has. */
@Module({
  imports: [KnowledgeModule],
  providers: [
    { provide: SchemaCheck, inject: [LOGGER], useFactory: (log: Logger) => new SchemaCheck(log) },
    {
      provide: Toolkit,
      inject: [Retriever, LOGGER, SchemaCheck],
      useFactory: (retriever: Retriever, log: Logger, schemas: SchemaCheck) =>
        new Toolkit([semanticSearch(retriever), ...unavailableTools], log, schemas),
    },
  ],
  exports: [Toolkit, SchemaCheck],
})
export class ToolsModule implements OnApplicationShutdown {
  constructor(@Inject(SchemaCheck) private readonly schemas: SchemaCheck) {}

  onApplicationShutdown(): Promise<void> {
    return this.schemas.close();
  }
}
