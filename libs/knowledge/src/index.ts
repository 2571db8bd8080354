export type * from './parsers/parser';
