import { KnowledgeModule, Retriever } from '@app/knowledge';
import { LOGGER, type Logger } from '@app/platform';
import { Module } from '@nestjs/common';
import { semanticSearch } from './built-in/semantic-search.tool';
import { unavailableTools } from './built-in/unavailable.tool';
import { Toolkit } from './toolkit';

/** The one place that says which built-in tools this server has. */
@Module({
  imports: [KnowledgeModule],
  providers: [
    {
      provide: Toolkit,
      inject: [Retriever, LOGGER],
      useFactory: (retriever: Retriever, log: Logger) =>
        new Toolkit([semanticSearch(retriever), ...unavailableTools], log),
    },
  ],
  exports: [Toolkit],
})
export class ToolsModule {}
