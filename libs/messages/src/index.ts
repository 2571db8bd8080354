export { AsyncMessages } from './async/async-messages';
export { AsyncMessagesModule } from './async/async-messages.module';
export type { EventSink } from './checked-events';
export { collectMessage } from './collect-message';
export * from './messages.module';
export * from './messages.service';
export { collectCompletion, completionEvents, toMessagesRequest } from './completion';
export { StreamRuleError } from './stream-rules';
export type { Dialect } from './visible-events';
