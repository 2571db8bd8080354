import { DocumentTexts, KnowledgeModule } from '@app/knowledge';
import { ModelCatalog, ModelsModule, Tokenizer } from '@app/models';
import { SchemaCheck, Toolkit, ToolsModule } from '@app/tools';
import { Module } from '@nestjs/common';
import { MessagesService } from './messages.service';

@Module({
  imports: [ModelsModule, KnowledgeModule, ToolsModule],
  providers: [
    {
      provide: MessagesService,
      inject: [ModelCatalog, Toolkit, SchemaCheck, DocumentTexts, Tokenizer],
      useFactory: (
        catalog: ModelCatalog,
        toolkit: Toolkit,
        schemas: SchemaCheck,
        documents: DocumentTexts,
        tokenizer: Tokenizer,
      ) => new MessagesService(catalog, toolkit, schemas, documents, tokenizer),
    },
  ],
  exports: [MessagesService],
})
export class MessagesModule {}
