/**
 * Bytes of a server-sent event stream in, the data of each event out.
 *
 * It is the hot path of every streamed answer, so it decodes a network read once, looks for line ends in the text,
 * and hands the data on by a callback. Only `data` matters here: the other fields are read over. It does not know
 * what the data means, `[DONE]` included.
 */
import { StringDecoder } from 'node:string_decoder';

/** Characters that one event, or one line that never ends, may hold. */
export const MAX_EVENT_CHARACTERS = 8 * 1024 * 1024;

const NEWLINE = 10;
const LINE_END = /\r\n?/g;

/** An event, or a line, is longer than the reader is willing to keep. */
export class OversizedEventError extends Error {}

export class SseReader {
  private readonly decoder = new StringDecoder('utf8');
  /** The beginning of a line whose end has not come yet. */
  private unfinished = '';
  /** Data lines of the event that is being read; undefined: none yet. */
  private data: string | undefined;
  private atStart = true;
  /** Whether the text so far ends in a carriage return: a newline that follows belongs to it. */
  private afterReturn = false;

  /** @param onData gets the data of each event, in order; several `data` lines of one event are joined by newlines. */
  constructor(
    private readonly onData: (data: string) => void,
    private readonly maxCharacters = MAX_EVENT_CHARACTERS,
  ) {}

  /**
   * The next bytes, cut anywhere.
   *
   * @throws OversizedEventError
   */
  read(bytes: Buffer): void {
    this.take(this.decoder.write(bytes));
  }

  /** The stream has ended. An event without its closing blank line counts: some servers leave that out. */
  end(): void {
    this.take(`${this.decoder.end()}\n\n`);
  }

  private take(text: string): void {
    if (this.atStart && text.length > 0) {
      this.atStart = false;
      if (text.charCodeAt(0) === 0xfeff) text = text.slice(1);
    }
    if (this.afterReturn || text.includes('\r')) text = this.withNewlines(text);
    let begin = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', begin)) {
      // Nearly every event is one `data` line and its blank line: its data is cut out once.
      if (
        text.charCodeAt(end + 1) === NEWLINE &&
        this.data === undefined &&
        this.unfinished === '' &&
        text.startsWith('data: ', begin)
      ) {
        const data = text.slice(begin + 6, end);
        this.refuseIfLonger(data.length);
        begin = end + 2;
        this.onData(data);
        continue;
      }
      const line = text.slice(begin, end);
      begin = end + 1;
      if (this.unfinished === '') this.line(line);
      else {
        const whole = this.unfinished + line;
        this.unfinished = '';
        this.line(whole);
      }
    }
    if (begin < text.length) {
      this.unfinished += begin === 0 ? text : text.slice(begin);
      this.refuseIfLonger(this.unfinished.length);
    }
  }

  /** A line may end in CRLF, CR or LF, each as good as the others. */
  private withNewlines(text: string): string {
    if (text === '') return text;
    const rest = this.afterReturn && text.startsWith('\n') ? text.slice(1) : text;
    this.afterReturn = text.endsWith('\r');
    return rest.replace(LINE_END, '\n');
  }

  private line(line: string): void {
    if (line === '') {
      const { data } = this;
      this.data = undefined;
      if (data !== undefined) this.onData(data);
    } else if (line.startsWith('data') && (line.length === 4 || line.charCodeAt(4) === 58)) {
      const value = line.slice(line.charCodeAt(5) === 32 ? 6 : 5);
      this.data = this.data === undefined ? value : `${this.data}\n${value}`;
      this.refuseIfLonger(this.data.length);
    }
  }

  private refuseIfLonger(length: number): void {
    if (length > this.maxCharacters) {
      throw new OversizedEventError(`An event of the stream is longer than ${this.maxCharacters} characters`);
    }
  }
}
