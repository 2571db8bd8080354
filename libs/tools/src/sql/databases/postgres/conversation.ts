/**
 * What is said to the server to run one statement: described first, and run only if it gives rows (SEC-44).
 *
 * The extended protocol takes one statement at a time, whatever the text holds. What gives no rows (`COPY`, `DO`,
 * `SET`, `COMMIT`, a write without RETURNING) is not run at all, even where no guard has read it.
 */
import { DatabaseError, type Connection, type Submittable } from 'pg';

export interface Field {
  readonly name: string;
  readonly dataTypeID: number;
  readonly dataTypeModifier: number;
}

/** Of this one statement in this one connection. */
const NAME = 'question';

abstract class Conversation<Result> implements Submittable {
  readonly result: Promise<Result>;
  protected resolve!: (result: Result) => void;
  private reject!: (error: Error) => void;

  constructor() {
    this.result = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    // Whoever submits it may be gone by then.
    this.result.catch(() => undefined);
  }

  abstract submit(connection: Connection): void;
  protected abstract finish(): void;

  /** The driver tells no more of a conversation that failed. */
  handleError(error: Error, connection: Connection): void {
    if (error instanceof DatabaseError) this.afterError(connection);
    this.reject(error);
  }

  handleReadyForQuery(): void {
    this.finish();
  }

  /** The server skips everything until it is told where the next begins. */
  protected afterError(connection: Connection): void {
    connection.sync();
  }

  handleRowDescription(_message: unknown): void {}
  handleDataRow(_message: unknown): void {}
  handleCommandComplete(_message: unknown, _connection: Connection): void {}
  handlePortalSuspended(_connection: Connection): void {}
  handleEmptyQuery(_connection: Connection): void {}
  handleCopyInResponse(connection: Connection): void {
    connection.stream.destroy();
  }
  handleCopyData(): void {}
}

/** Opens a transaction that only reads, and asks one question of ours in it, in one message to the server. */
export class Opening extends Conversation<readonly (string | null)[]> {
  private row: readonly (string | null)[] = [];

  constructor(
    private readonly begin: string,
    private readonly question: string,
    private readonly values: readonly string[],
  ) {
    super();
  }

  submit(connection: Connection): void {
    for (const [text, values] of [
      [this.begin, []],
      [this.question, this.values],
    ] as const) {
      connection.parse({ name: '', text, types: [] }, true);
      connection.bind({ values: [...values] }, true);
      connection.execute({ portal: '', rows: '0' }, true);
    }
    connection.sync();
  }

  override handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    this.row = fields;
  }

  /** The sync is sent already: what follows the part that failed is skipped. */
  protected override afterError(): void {}

  protected finish(): void {
    this.resolve(this.row);
  }
}

/** The columns of what the statement would give; undefined where it gives no rows. */
export class Description extends Conversation<readonly Field[] | undefined> {
  private fields: readonly Field[] | undefined;

  constructor(private readonly sql: string) {
    super();
  }

  submit(connection: Connection): void {
    connection.parse({ name: NAME, text: this.sql, types: [] }, true);
    connection.describe({ type: 'S', name: NAME }, true);
    connection.sync();
  }

  /** That is said already. */
  protected override afterError(): void {}

  override handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    this.fields = fields;
  }

  protected finish(): void {
    this.resolve(this.fields);
  }
}

export type TakeRow = (values: readonly (string | null)[]) => 'more' | 'enough';

/**
 * Runs what was described, and takes rows until there are no more, or enough.
 *
 * All rows are asked for at once: a server plans no parallel work for one that takes them by portions. So after enough
 * of them the conversation is over for us, not for the server: whoever runs it hangs up then.
 */
export class Execution extends Conversation<'all' | 'cut'> {
  private enough = false;

  constructor(private readonly take: TakeRow) {
    super();
  }

  submit(connection: Connection): void {
    connection.bind({ statement: NAME }, true);
    connection.execute({ portal: '', rows: '0' }, true);
    connection.sync();
  }

  override handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    if (this.enough || this.take(fields) === 'more') return;
    this.enough = true;
    this.resolve('cut');
  }

  /** That is said already. */
  protected override afterError(): void {}

  protected finish(): void {
    this.resolve('all');
  }
}
