import { AccessModule, AuditTrail } from '@app/access';
import { KnowledgeModule, Retriever, TableStore, WebPages } from '@app/knowledge';
import { CONFIG, LOGGER, type Config, type Logger } from '@app/platform';
import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { semanticSearch } from './built-in/semantic-search.tool';
import { tabularAnalysis } from './built-in/tabular-analysis.tool';
import { unavailableTools } from './built-in/unavailable.tool';
import { webFetch } from './built-in/web-fetch.tool';
import { SchemaCheck } from './custom/schema-check';
import { ChartPainter } from './sql/chart/chart-painter';
import { TableEngine } from './sql/table-engine';
import { Toolkit } from './toolkit';

/** The one place that says which built-in tools this server has. */
@Module({
  imports: [AccessModule, KnowledgeModule],
  providers: [
    { provide: SchemaCheck, inject: [LOGGER], useFactory: (log: Logger) => new SchemaCheck(log) },
    { provide: TableEngine, inject: [CONFIG], useFactory: ({ sql }: Config) => new TableEngine(sql) },
    { provide: ChartPainter, useFactory: () => new ChartPainter() },
    {
      provide: Toolkit,
      inject: [Retriever, WebPages, TableStore, TableEngine, ChartPainter, CONFIG, LOGGER, SchemaCheck, AuditTrail],
      useFactory: (
        retriever: Retriever,
        pages: WebPages,
        tables: TableStore,
        engine: TableEngine,
        painter: ChartPainter,
        { sql: limits }: Config,
        log: Logger,
        schemas: SchemaCheck,
        audit: AuditTrail,
      ) =>
        new Toolkit(
          [
            semanticSearch(retriever),
            tabularAnalysis({ tables, engine, painter, limits }),
            webFetch(pages),
            ...unavailableTools,
          ],
          log,
          schemas,
          audit,
        ),
    },
  ],
  exports: [Toolkit, SchemaCheck],
})
export class ToolsModule implements OnApplicationShutdown {
  constructor(
    @Inject(SchemaCheck) private readonly schemas: SchemaCheck,
    @Inject(TableEngine) private readonly engine: TableEngine,
    @Inject(ChartPainter) private readonly painter: ChartPainter,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.schemas.close(), this.engine.close(), this.painter.close()]);
  }
}
