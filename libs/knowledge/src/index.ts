export { ArtifactNotReadyError, EmbedderMismatchError, IngestCancelledError } from './artifacts/artifact.errors';
export { KNOWLEDGE_ENTITIES } from './artifacts/artifact.entity';
export { Library } from './ingestion/library';
export { KnowledgeModule } from './knowledge.module';
export type * from './parsers/parser';
export { citationMark } from './retrieval/citation-mark';
export { Retriever, type SearchRequest } from './retrieval/retriever';
export type * from './tables/table-report';
export { TableStore, type StoredTable } from './tables/table-store';
