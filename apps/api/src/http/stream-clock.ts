import { Injectable, type OnModuleDestroy } from '@nestjs/common';

export interface Ticking {
  tick(): void;
}

/** One timer for all open streams. It ticks once a second while there are any. */
@Injectable()
export class StreamClock implements OnModuleDestroy {
  static readonly TICK_MS = 1000;

  private readonly streams = new Set<Ticking>();
  private timer?: NodeJS.Timeout;

  add(stream: Ticking): void {
    this.streams.add(stream);
    this.timer ??= setInterval(() => {
      for (const one of this.streams) one.tick();
    }, StreamClock.TICK_MS).unref();
  }

  remove(stream: Ticking): void {
    this.streams.delete(stream);
    if (this.streams.size === 0) this.onModuleDestroy();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
