export * from './chat/conversation';
export * from './chat/chat-model';
export { asData } from './chat/as-data';
export * from './chat/estimate-tokens';
export * from './chat/sql-task';
export * from './embeddings/embedder';
export * from './catalog/model-catalog';
export * from './catalog/model-not-found.error';
export * from './models.module';
