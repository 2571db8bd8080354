import { AccessModule, AuditTrail } from '@app/access';
import { KnowledgeModule, Retriever, TableStore, WebPages } from '@app/knowledge';
import { Embedder, ModelsModule } from '@app/models';
import { CONFIG, DatabaseDialer, LOGGER, type Config, type Logger } from '@app/platform';
import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { databaseQuery } from './built-in/database-query.tool';
import { semanticSearch } from './built-in/semantic-search.tool';
import { tabularAnalysis } from './built-in/tabular-analysis.tool';
import { unavailableTools } from './built-in/unavailable.tool';
import { webFetch } from './built-in/web-fetch.tool';
import { SchemaCheck } from './custom/schema-check';
import { ChartPainter } from './sql/chart/chart-painter';
import { DatabaseEngines } from './sql/databases/database-engines';
import { CatalogCache } from './sql/databases/catalog-cache';
import { DatabaseSchemas } from './sql/databases/database-schemas';
import { Databases, dialBy } from './sql/databases/databases';
import { QuerySlots } from './sql/databases/query-slots';
import { RelevantTables } from './sql/databases/relevant-tables';
import { TableEngine } from './sql/table-engine';
import { Toolkit } from './toolkit';

/** The one place that says which built-in tools this server has. */
@Module({
  imports: [AccessModule, KnowledgeModule, ModelsModule],
  providers: [
    { provide: SchemaCheck, inject: [LOGGER], useFactory: (log: Logger) => new SchemaCheck(log) },
    { provide: TableEngine, inject: [CONFIG], useFactory: ({ sql }: Config) => new TableEngine(sql) },
    { provide: ChartPainter, useFactory: () => new ChartPainter() },
    {
      provide: DatabaseEngines,
      inject: [DatabaseDialer, CONFIG],
      useFactory: (dialer: DatabaseDialer, config: Config) => new DatabaseEngines(dialBy(dialer), config),
    },
    {
      provide: Databases,
      inject: [DatabaseEngines, CONFIG, LOGGER],
      useFactory: ({ engines }: DatabaseEngines, { databases }: Config, log: Logger) =>
        new Databases({
          engines,
          slots: new QuerySlots({
            perOrganisation: databases.queriesPerOrganisation,
            perTarget: databases.connectionsPerTarget,
            waitMs: databases.waitMs,
          }),
          maxObjects: databases.maxObjects,
          log,
        }),
    },
    {
      provide: DatabaseSchemas,
      inject: [Embedder, CONFIG, LOGGER],
      useFactory: (embedder: Embedder, { databases, sql }: Config, log: Logger) =>
        new DatabaseSchemas(new CatalogCache(databases.schemaMs), new RelevantTables(embedder, log), sql.cardTokens),
    },
    {
      provide: Toolkit,
      inject: [
        Retriever,
        WebPages,
        TableStore,
        TableEngine,
        ChartPainter,
        Databases,
        DatabaseSchemas,
        CONFIG,
        LOGGER,
        SchemaCheck,
        AuditTrail,
      ],
      useFactory: (
        retriever: Retriever,
        pages: WebPages,
        tables: TableStore,
        engine: TableEngine,
        painter: ChartPainter,
        databases: Databases,
        described: DatabaseSchemas,
        { sql: limits, databases: settings }: Config,
        log: Logger,
        schemas: SchemaCheck,
        audit: AuditTrail,
      ) =>
        new Toolkit(
          [
            semanticSearch(retriever),
            tabularAnalysis({ tables, engine, painter, limits }),
            databaseQuery({ databases, schemas: described, limits, settings, log }),
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
    @Inject(DatabaseEngines) private readonly engines: DatabaseEngines,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.schemas.close(), this.engine.close(), this.painter.close(), this.engines.close()]);
  }
}
