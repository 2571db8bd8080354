export * from './built-in/semantic-search.tool';
export { SchemaCheck } from './custom/schema-check';
export { SchemaGuard } from './custom/schema-guard';
export * from './tool';
export * from './tool-box';
export * from './toolkit';
export * from './tools.module';
