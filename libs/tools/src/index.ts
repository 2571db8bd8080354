export * from './built-in/semantic-search.tool';
export * from './tool';
export * from './tool-box';
export * from './toolkit';
export * from './tools.module';
