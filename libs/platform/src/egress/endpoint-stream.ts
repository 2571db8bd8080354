/**
 * An answer whose body is handed on as it comes from the socket.
 *
 * undici's own response is a Readable, which costs more than everything that a short answer needs besides: this is for
 * the hot path. A reader that is slow pauses the socket.
 */
import type { Dispatcher } from 'undici';
import type { StopSignal } from '../stop-signal';

/** What is told of a body: its parts in order, and then one of the two endings. None of them may throw. */
export interface BodyReader {
  data(bytes: Buffer): void;
  end(): void;
  failed(error: unknown): void;
}

export interface EndpointStream {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Hands the body on, beginning with what has come already. To be called once. */
  read(reader: BodyReader): void;
  pause(): void;
  resume(): void;
  /** Cuts the connection of a body that has not ended. The reader hears no more of it. */
  destroy(): void;
}

/**
 * Starts a request and resolves with the head of its answer, whatever its status.
 *
 * @param dispatch hands the handler to the dispatcher, with the request.
 * @throws what undici's `request` throws, or the signal's reason.
 */
export function openStream(
  dispatch: (handler: Dispatcher.DispatchHandler) => void,
  signal: StopSignal | undefined,
): Promise<EndpointStream> {
  return new Promise((resolve, reject) => dispatch(new OpenStream(resolve, reject, signal)));
}

class OpenStream implements Dispatcher.DispatchHandler, EndpointStream {
  statusCode = 0;
  headers: EndpointStream['headers'] = {};
  private controller?: Dispatcher.DispatchController;
  private reader?: BodyReader;
  /** What came before there was a reader; the end of a body is an empty part. */
  private early: Buffer[] = [];
  private hasEnded = false;
  private failure: { readonly error: unknown } | undefined;
  private destroyed = false;

  constructor(
    private readonly resolve: (stream: EndpointStream) => void,
    private readonly reject: (error: unknown) => void,
    private readonly signal: StopSignal | undefined,
  ) {
    signal?.addEventListener('abort', this.onAbort);
  }

  read(reader: BodyReader): void {
    this.reader = reader;
    for (const bytes of this.early) reader.data(bytes);
    this.early = [];
    if (this.failure) reader.failed(this.failure.error);
    else if (this.hasEnded) reader.end();
  }

  pause(): void {
    this.controller?.pause();
  }

  resume(): void {
    this.controller?.resume();
  }

  destroy(): void {
    if (this.isOver) return;
    this.destroyed = true;
    this.controller?.abort(new Error('The answer is no longer wanted'));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.signal?.aborted) this.onAbort();
  }

  onResponseStart(_: Dispatcher.DispatchController, statusCode: number, headers: EndpointStream['headers']): void {
    if (statusCode < 200) return;
    this.statusCode = statusCode;
    this.headers = headers;
    this.resolve(this);
  }

  onResponseData(_: Dispatcher.DispatchController, bytes: Buffer): void {
    if (this.destroyed) return;
    if (this.reader) this.reader.data(bytes);
    else this.early.push(bytes);
  }

  onResponseEnd(): void {
    this.hasEnded = true;
    this.signal?.removeEventListener('abort', this.onAbort);
    this.reader?.end();
  }

  onResponseError(_: Dispatcher.DispatchController, error: unknown): void {
    if (this.failure) return;
    this.failure = { error };
    this.signal?.removeEventListener('abort', this.onAbort);
    if (this.statusCode === 0) this.reject(error);
    else if (!this.destroyed) this.reader?.failed(error);
  }

  private get isOver(): boolean {
    return this.hasEnded || this.failure !== undefined;
  }

  private readonly onAbort = (): void => {
    const reason = this.signal!.reason as Error;
    // A request that waits for a connection is not undici's yet to abort; it is told when it starts.
    if (this.controller) this.controller.abort(reason);
    else if (this.statusCode === 0) this.reject(reason);
  };
}
