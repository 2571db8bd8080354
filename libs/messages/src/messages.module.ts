import { ModelCatalog, ModelsModule } from '@app/models';
import { SchemaCheck, Toolkit, ToolsModule } from '@app/tools';
import { Module } from '@nestjs/common';
import { MessagesService } from './messages.service';

@Module({
  imports: [ModelsModule, ToolsModule],
  providers: [
    {
      provide: MessagesService,
      inject: [ModelCatalog, Toolkit, SchemaCheck],
      useFactory: (catalog: ModelCatalog, toolkit: Toolkit, schemas: SchemaCheck) =>
        new MessagesService(catalog, toolkit, schemas),
    },
  ],
  exports: [MessagesService],
})
export class MessagesModule {}
