import { modelInfoSchema, modelListSchema, modelsQuerySchema, type ModelInfo, type ModelList } from '@app/contract';
import { ModelCatalog } from '@app/models';
import { Controller, Get, Param, Query } from '@nestjs/common';
import type { z } from 'zod';
import { Endpoint } from '../http/endpoint';

@Controller('v1/models')
export class ModelsController {
  constructor(private readonly catalog: ModelCatalog) {}

  @Get()
  @Endpoint({ summary: 'List the models, newest page by default', response: modelListSchema })
  list(@Query({ schema: modelsQuerySchema }) page: z.infer<typeof modelsQuerySchema>): ModelList {
    return this.catalog.list(page);
  }

  @Get(':model_id')
  @Endpoint({ summary: 'Tell about one model', response: modelInfoSchema })
  get(@Param('model_id') id: string): ModelInfo {
    return this.catalog.get(id);
  }
}
