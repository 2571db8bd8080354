import { pino, type DestinationStream, type Logger } from 'pino';
import type { Config } from '../config/config';
import { loggableFields, loggableText } from './redact';

export type { Logger };

/** Injection token of the Logger. */
export const LOGGER = Symbol('LOGGER');

/**
 * The log: one JSON object on one line per event, on standard output unless another stream is given.
 *
 * Whatever is handed to it goes through `redact.ts` first. `logger.child({ request_id })` binds fields.
 */
export function createLogger({ logging }: Pick<Config, 'logging'>, stream?: DestinationStream): Logger {
  return pino(
    {
      level: logging.level,
      base: {},
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (level) => ({ level }),
        bindings: loggableFields,
        log: loggableFields,
      },
      serializers: { err: (error: unknown) => error },
      hooks: {
        logMethod(args, method) {
          const [first, ...rest] = args as unknown[];
          // pino would take the message of a lone error as it is.
          const given = first instanceof Error && !rest.length ? [{ err: first }, first.message] : [first, ...rest];
          method.apply(this, given.map(argument) as Parameters<typeof method>);
        },
      },
    },
    stream ?? pino.destination({ sync: true }),
  );
}

const argument = (value: unknown) => (typeof value === 'string' ? loggableText(value) : value);
