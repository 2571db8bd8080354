export * from './config/config';
export * from './secret';
