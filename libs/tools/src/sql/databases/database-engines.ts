/** The engines of this server, by what the scheme of a connection string says. */
import type { Config } from '@app/platform';
import type { Dial, Engines } from './databases';

export class DatabaseEngines {
  readonly engines: Engines;

  constructor(_dial: Dial, _config: Pick<Config, 'databases' | 'sql'>) {
    this.engines = {};
  }

  async close(): Promise<void> {
    await Promise.resolve();
  }
}
