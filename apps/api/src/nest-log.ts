import type { Logger } from '@app/platform';
import type { LoggerService } from '@nestjs/common';

/** Nest's own words in our log. What it says about every route and module at start is for debugging. */
export class NestLog implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown): void {
    this.logger.debug(String(message));
  }

  error(message: unknown): void {
    this.logger.error(message instanceof Error ? { err: message } : {}, String(message));
  }

  warn(message: unknown): void {
    this.logger.warn(String(message));
  }
}
