/**
 * The body of a chat completion as it comes from the network: events, or one document of a server that does not
 * stream. Told apart by the first character, because content types lie.
 */
import type { AnswerReader } from './answer-reader';
import { garbage } from './model-server-errors';
import { OversizedEventError, SseReader } from './sse-reader';

const MAX_DOCUMENT_BYTES = 32 * 1024 * 1024;
const OPENING_BRACE = 0x7b;
const LESS_THAN = 0x3c;
const SPACE = 0x20;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

export class AnswerBody {
  private readonly events: SseReader;
  private kind: 'unknown' | 'events' | 'document' = 'unknown';
  private readonly document: Buffer[] = [];
  private documentBytes = 0;

  constructor(private readonly answer: AnswerReader) {
    this.events = new SseReader((data) => answer.read(data));
  }

  /** @throws PlatformError for what is no chat completion, or too much of one. */
  read(bytes: Buffer): void {
    if (this.answer.isDone) return;
    if (this.kind === 'unknown') this.kind = kindOf(bytes);
    if (this.kind === 'document') this.keep(bytes);
    else this.guarded(() => this.events.read(bytes));
  }

  /** @throws PlatformError when the answer is not whole. */
  end(): void {
    if (this.kind === 'document') return this.answer.readWhole(Buffer.concat(this.document).toString('utf8'));
    try {
      this.guarded(() => this.events.end());
    } catch (error) {
      // The beginning of an event, then nothing: that the answer is not whole says more than that the event is not.
      if (!((error as Error).cause instanceof SyntaxError)) throw error;
    }
    this.answer.end();
  }

  private keep(bytes: Buffer): void {
    this.document.push(bytes);
    this.documentBytes += bytes.length;
    if (this.documentBytes > MAX_DOCUMENT_BYTES) throw garbage('more than 32 MiB');
  }

  private guarded(read: () => void): void {
    try {
      read();
    } catch (error) {
      throw error instanceof OversizedEventError ? garbage('an endless event', error) : error;
    }
  }
}

function kindOf(bytes: Buffer): 'unknown' | 'events' | 'document' {
  const first = bytes.find((byte) => byte > SPACE && !BYTE_ORDER_MARK.includes(byte));
  if (first === LESS_THAN) throw garbage('a web page');
  if (first === undefined) return 'unknown';
  return first === OPENING_BRACE ? 'document' : 'events';
}
