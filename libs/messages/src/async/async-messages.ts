import { randomUUID } from 'node:crypto';
import type { Caller } from '@app/access';
import {
  ASYNC_MESSAGE_ID,
  foldSystem,
  type AsyncMessageStatus,
  type MessagesRequest,
  type StreamEvent,
} from '@app/contract';
import type { Sealer } from '@app/platform';
import { refuseWhatIsNotServed } from '../not-served';
import type { Dialect } from '../visible-events';
import type { SealedRequest } from './answer-runs';
import type { EventLog } from './event-log';
import { unknownMessage, type MessageStore } from './message-store';
import type { ReaderPlaces } from './reader-places';

/** What a queue takes; a hint beyond it means no more. */
const MAX_PRIORITY = 1000;

export interface StartOptions {
  readonly dialect: Dialect;
  /** The caller's name for it. Default: a UUID. */
  readonly messageId?: string;
}

/** Messages that are answered in the background, and kept for a while (messages-api §11). */
export class AsyncMessages {
  constructor(
    private readonly store: MessageStore,
    private readonly log: EventLog,
    private readonly sealer: Sealer,
    private readonly places: ReaderPlaces,
  ) {}

  /**
   * @returns the `message_id`.
   * @throws InvalidRequestError when it is in use, and for fields that are not served; PlatformError 429 or 529 when too many are waiting (SEC-124).
   */
  async start(caller: Caller, request: MessagesRequest, { dialect, messageId }: StartOptions): Promise<string> {
    refuseWhatIsNotServed(request);
    const id = randomUUID();
    const name = messageId ?? randomUUID();
    const content: SealedRequest = { caller, request, dialect };
    const sealed = this.sealer.seal(JSON.stringify(content), id);
    const priority = Math.max(-MAX_PRIORITY, Math.min(MAX_PRIORITY, request.priority ?? 0));
    await this.store.start(caller, { id, name, request: sealed, facts: factsOf(request), priority });
    return name;
  }

  /** @throws NotFoundError */
  async status(caller: Caller, name: string): Promise<AsyncMessageStatus> {
    return (await this.store.find(caller, known(name))).status;
  }

  /**
   * All events from the first on, then those to come. Who stops reading stops nothing else. Read it at least once:
   * the reader's place is free again when it ends.
   *
   * @throws NotFoundError; PlatformError 429 when the message has ten readers already.
   */
  async stream(
    caller: Caller,
    name: string,
    signal: AbortSignal,
  ): Promise<AsyncIterableIterator<StreamEvent, undefined>> {
    const { id, status } = await this.store.find(caller, known(name));
    const leave = await this.places.take(id);
    const events = this.read(id, signal, leave);
    if (status.completed_at === null) return events;
    // It may have expired since it was found: no events are then not all that it ever said.
    const first = await events.next();
    if (first.done) await this.store.find(caller, name);
    return beginningWith(first, events);
  }

  /** The model and the tools stop, what was said stays. A message that has ended keeps its status. @throws NotFoundError */
  async cancel(caller: Caller, name: string): Promise<void> {
    await this.store.cancel(caller, known(name));
  }

  /** Cancels the message if it has not ended, and removes all there is of it. @throws NotFoundError */
  async remove(caller: Caller, name: string): Promise<void> {
    await this.store.remove(caller, known(name));
  }

  private async *read(id: string, signal: AbortSignal, leave: () => void): AsyncGenerator<StreamEvent, undefined> {
    try {
      yield* this.log.follow(id, signal);
    } finally {
      leave();
    }
  }
}

/** An iterator that has been asked once already, as if it had not. */
function beginningWith(
  first: IteratorResult<StreamEvent, undefined>,
  rest: AsyncGenerator<StreamEvent, undefined>,
): AsyncIterableIterator<StreamEvent, undefined> {
  let isTold = false;
  return {
    next: () => {
      if (isTold) return rest.next();
      isTold = true;
      return Promise.resolve(first);
    },
    return: () => rest.return(undefined),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** What could never be a name is not looked for. */
function known(name: string): string {
  if (!ASYNC_MESSAGE_ID.test(name)) throw unknownMessage(name);
  return name;
}

function factsOf({
  messages,
  tools,
  thinking,
  output_config,
  system,
}: MessagesRequest): AsyncMessageStatus['metadata'] {
  const wished = thinking?.enabled === true || thinking?.type === 'enabled' || thinking?.type === 'adaptive';
  const effort = output_config?.effort ?? thinking?.effort;
  return {
    message_count: messages.length,
    tools_enabled: Boolean(tools?.length),
    thinking_enabled: thinking?.type !== 'disabled' && (wished || effort != null),
    citations_enabled: foldSystem(system).citations,
  };
}
