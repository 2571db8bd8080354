import { DocumentTexts, KnowledgeModule } from '@app/knowledge';
import { ModelCatalog, ModelsModule } from '@app/models';
import { SchemaCheck, Toolkit, ToolsModule } from '@app/tools';
import { Module } from '@nestjs/common';
import { MessagesService } from './messages.service';

@Module({
  imports: [ModelsModule, KnowledgeModule, ToolsModule],
  providers: [
    {
      provide: MessagesService,
      inject: [ModelCatalog, Toolkit, SchemaCheck, DocumentTexts],
      useFactory: (catalog: ModelCatalog, toolkit: Toolkit, schemas: SchemaCheck, documents: DocumentTexts) =>
        new MessagesService(catalog, toolkit, schemas, documents),
    },
  ],
  exports: [MessagesService],
})
export class MessagesModule {}
