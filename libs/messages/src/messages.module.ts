import { ModelCatalog, ModelsModule } from '@app/models';
import { Toolkit, ToolsModule } from '@app/tools';
import { Module } from '@nestjs/common';
import { MessagesService } from './messages.service';

@Module({
  imports: [ModelsModule, ToolsModule],
  providers: [
    {
      provide: MessagesService,
      inject: [ModelCatalog, Toolkit],
      useFactory: (catalog: ModelCatalog, toolkit: Toolkit) => new MessagesService(catalog, toolkit),
    },
  ],
  exports: [MessagesService],
})
export class MessagesModule {}
