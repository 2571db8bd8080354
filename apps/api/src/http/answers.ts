/**
 * The answers that are being made: whose they are, how one is called off, and how to wait for all of them.
 *
 * One signal for each: it is aborted when the caller hangs up (SEC-121), when the caller stops reading, or when the
 * server has to stop. A reason that is a PlatformError is meant for the caller; any other reason is not.
 */
import type { Caller } from '@app/access';
import { OverloadedError, PlatformError } from '@app/contract';
import { CONFIG, Stopper, type Config, type StopSignal } from '@app/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

export interface Answer {
  readonly signal: StopSignal;
  abort(reason: unknown): void;
  /** Why the answer failed: the reason for which it was called off, rather than what that made others throw. */
  why(thrown: unknown): unknown;
  /** Frees the caller's slot. Must be called once, whatever happened. */
  end(): void;
}

@Injectable()
export class Answers {
  private readonly byKey = new Map<string, number>();
  private readonly running = new Set<Stopper>();
  /** Responses that are not complete, those of answers among them. */
  private readonly open = new Set<FastifyReply['raw']>();
  private emptied?: () => void;
  private stopping = false;

  constructor(@Inject(CONFIG) private readonly config: Pick<Config, 'http'>) {}

  /** @throws PlatformError 429 when the key has as many answers in the making as it may (SEC-124). */
  begin(caller: Caller, response: FastifyReply['raw']): Answer {
    const key = caller.keyId ?? caller.organisationId;
    const mine = this.byKey.get(key) ?? 0;
    const { maxStreamsPerKey } = this.config.http;
    if (mine >= maxStreamsPerKey) {
      throw new PlatformError(
        'rate_limit_error',
        `limit_exceeded: this key has ${maxStreamsPerKey} answers in the making, the most at once (MAX_STREAMS_PER_KEY).`,
      );
    }
    this.byKey.set(key, mine + 1);
    const controller = new Stopper();
    this.running.add(controller);
    // The response, not the request: a POST request "closes" once its body is read.
    const onClose = () => controller.abort();
    response.once('close', onClose);
    return {
      signal: controller.signal,
      abort: (reason) => controller.abort(reason),
      why: (thrown) => (controller.signal.aborted ? controller.signal.reason : thrown),
      end: () => {
        response.off('close', onClose);
        if (this.running.delete(controller)) this.release(key);
      },
    };
  }

  /** Requests of any kind are waited for before the server stops: a question to a tool, a file that is taken in. */
  follow(response: FastifyReply['raw']): void {
    this.open.add(response);
    response.once('close', () => {
      this.open.delete(response);
      if (this.isEmpty) this.emptied?.();
    });
  }

  private get isEmpty(): boolean {
    return this.running.size === 0 && this.open.size === 0;
  }

  private release(key: string): void {
    const left = (this.byKey.get(key) ?? 1) - 1;
    if (left > 0) this.byKey.set(key, left);
    else this.byKey.delete(key);
    if (this.isEmpty) this.emptied?.();
  }

  /** Whether the server is on its way down and takes no new work. */
  get draining(): boolean {
    return this.stopping;
  }

  /** Takes no new work, waits up to `ms` for what is in the making, then calls the other answers off in words. */
  async drain(ms: number): Promise<void> {
    this.stopping = true;
    await this.empty(ms);
    for (const controller of this.running) controller.abort(new OverloadedError('The server is shutting down.'));
    await this.empty(1000);
  }

  private async empty(ms: number): Promise<void> {
    if (this.isEmpty) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.emptied = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
