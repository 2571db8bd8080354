import type { MessagesRequest } from '@app/contract';
import { userUrls, type UserUrls } from './user-urls';

/** What lasts as long as one request: what the user said in it, and what its tools want to remember. */
export class TurnScope {
  private urls: UserUrls | undefined;
  private readonly kept = new Map<object, unknown>();

  /** @param named addresses that the caller names elsewhere than in a message. */
  constructor(
    private readonly messages: MessagesRequest['messages'] = [],
    private readonly named: readonly string[] = [],
  ) {}

  /** Fixed by the request: nothing that is read later adds to them (SEC-145). */
  get userUrls(): UserUrls {
    return (this.urls ??= userUrls(this.messages, this.named));
  }

  /** The one thing of this key, made when it is asked for first. */
  once<T>(key: object, make: () => T): T {
    if (!this.kept.has(key)) this.kept.set(key, make());
    return this.kept.get(key) as T;
  }
}
