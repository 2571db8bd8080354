import { DocumentTexts, KnowledgeModule, WebPages } from '@app/knowledge';
import { ModelCatalog, ModelsModule, Tokenizer } from '@app/models';
import { SchemaCheck, Toolkit, ToolsModule } from '@app/tools';
import { CONFIG, type Config } from '@app/platform';
import { Module } from '@nestjs/common';
import { MessagesService } from './messages.service';

@Module({
  imports: [ModelsModule, KnowledgeModule, ToolsModule],
  providers: [
    {
      provide: MessagesService,
      inject: [ModelCatalog, Toolkit, SchemaCheck, DocumentTexts, WebPages, Tokenizer, CONFIG],
      useFactory: (
        catalog: ModelCatalog,
        toolkit: Toolkit,
        schemas: SchemaCheck,
        documents: DocumentTexts,
        web: WebPages,
        tokenizer: Tokenizer,
        { http, web: { documentMs } }: Config,
      ) => {
        const links = {
          web,
          maxBytes: http.maxMessageBodyBytes,
          maxHeldBytes: http.maxBodiesBytes,
          ms: documentMs,
        };
        return new MessagesService(catalog, toolkit, schemas, documents, links, tokenizer);
      },
    },
  ],
  exports: [MessagesService],
})
export class MessagesModule {}
