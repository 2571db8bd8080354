import { pino, type DestinationStream, type Logger } from 'pino';
import type { Config } from '../config/config';
import { standardOutput } from './standard-output';
import { loggable, loggableFields } from './redact';

export type { Logger };

/** Injection token of the Logger. */
export const LOGGER = Symbol('LOGGER');

/**
 * The log: one JSON object on one line per event, on standard output unless another stream is given.
 *
 * Whatever is handed to it goes through `redact.ts` first. `logger.child({ request_id })` binds fields.
 */
export function createLogger({ logging }: Pick<Config, 'logging'>, stream?: DestinationStream): Logger {
  const logger = pino(
    {
      level: logging.level,
      base: {},
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (level) => ({ level }),
        log: loggableFields,
      },
      serializers: { err: (error: unknown) => error },
      hooks: {
        logMethod(args, method) {
          const [first, ...rest] = args as unknown[];
          // pino would take the message of a lone error as it is.
          const given = first instanceof Error && !rest.length ? [{ err: first }, messageOf(first)] : [first, ...rest];
          method.apply(this, given.map(argument) as Parameters<typeof method>);
        },
      },
    },
    stream ?? standardOutput(),
  );
  // pino has a formatter for bound fields too, but drops it for every child. Children inherit this.
  const child = logger.child;
  logger.child = function (this: Logger, bindings: object, options?: object) {
    return child.call(this, loggableFields(bindings), options);
  } as typeof child;
  return logger;
}

const messageOf = (error: Error & { loggedAs?: unknown }) =>
  typeof error.loggedAs === 'string' ? error.loggedAs : error.message;

/** The fields, which come first, are the formatter's; the rest is text and what goes into it. */
const argument = (value: unknown, at: number) => (at === 0 && typeof value === 'object' ? value : loggable(value));
