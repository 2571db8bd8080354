/**
 * Results that are too large for a prompt (SEC-125).
 *
 * They are kept aside for the length of the request; the model gets the beginning, the size and a handle, and a tool
 * to read on. The caller gets the whole result. A result of the server's that comes back with a later request is
 * shortened in the same way, so that its prompt continues the earlier one.
 */
import { text } from '@app/contract';
import type { ToolDeclaration } from '@app/models';
import type { ToolCall, ToolResult } from '@app/tools';

/** What one result may take of a prompt, in bytes; of a small window no more than about a quarter. */
const MAX_BYTES = 100 * 1024;
const BYTES_OF_TOKEN = 4;
const SHARE_OF_WINDOW = 0.25;
/** In characters. */
const HEAD = 8000;
const PAGE = 25_000;
/** Of what a result may take, the part that its beginning, or a page of it, does; the widest characters have three. */
const SHARE_OF_HEAD = 0.75;
const SHARE_OF_PAGE = 0.25;

export class KeptResults {
  private readonly kept = new Map<string, string>();
  private declared: ToolDeclaration | undefined;

  private readonly maxBytes: number;
  private readonly head: number;
  private readonly page: number;

  /** @param contextTokens the window of the model. */
  constructor(
    private readonly offered: readonly ToolDeclaration[],
    contextTokens = Infinity,
  ) {
    this.maxBytes = Math.min(MAX_BYTES, Math.floor(contextTokens * BYTES_OF_TOKEN * SHARE_OF_WINDOW));
    this.head = Math.min(HEAD, Math.floor(this.maxBytes * SHARE_OF_HEAD));
    this.page = Math.min(PAGE, Math.floor(this.maxBytes * SHARE_OF_PAGE));
  }

  /** Made when it is first needed: most requests have nothing to read on in. */
  private get reader(): ToolDeclaration {
    return (this.declared ??= this.declareReader());
  }

  private declareReader(): ToolDeclaration {
    let name = 'read_result';
    while (this.offered.some((tool) => tool.name === name)) name += '_';
    return {
      name,
      description: 'Read on in a tool result that was too large to be given whole.',
      inputSchema: {
        type: 'object',
        properties: {
          handle: { type: 'string', description: 'The handle that stands at the end of the shortened result.' },
          offset: { type: 'integer', minimum: 0, description: 'The character to begin with.' },
          length: { type: 'integer', minimum: 1, maximum: this.page, description: `At most ${this.page} characters.` },
        },
        required: ['handle', 'offset'],
      },
    };
  }

  /** The tools that the model is offered: with the reader once there is something to read. */
  get tools(): readonly ToolDeclaration[] {
    return this.kept.size > 0 && this.offered.length > 0 ? [...this.offered, this.reader] : this.offered;
  }

  isReader(name: string): boolean {
    return this.kept.size > 0 && name === this.reader.name;
  }

  /** A result as the model gets it. Its handle is the id of the call that it answers. */
  forModel(handle: string, content: string): string {
    const bytes = Buffer.byteLength(content);
    if (bytes <= this.maxBytes) return content;
    this.kept.set(handle, content);
    const lines = content.split('\n').length;
    return (
      `${part(content, 0, this.head)}\n\n[This result was shortened: it has ${content.length} characters (${bytes} bytes) ` +
      `in ${lines} lines. Read on with ${this.reader.name}: {"handle": "${handle}", "offset": ${this.head}}]`
    );
  }

  /** Answers a call of the reader. */
  read({ id, input }: ToolCall): ToolResult {
    const content = typeof input.handle === 'string' ? this.kept.get(input.handle) : undefined;
    const offset = Number(input.offset ?? 0);
    const length = Number(input.length ?? this.page);
    if (content === undefined) return result(id, `There is no result with this handle. ${this.handles()}`, true);
    if (!Number.isSafeInteger(offset) || offset < 0 || !Number.isSafeInteger(length) || length < 1) {
      return result(id, 'invalid_tool_arguments: offset and length are whole numbers, length at least 1.', true);
    }
    const page = part(content, offset, Math.min(length, this.page));
    const end = Math.min(content.length, offset + page.length);
    return result(id, `${page}\n\n[Characters ${Math.min(offset, end)} to ${end} of ${content.length}.]`, false);
  }

  private handles(): string {
    return `Handles: ${[...this.kept.keys()].join(', ')}.`;
  }
}

/** Never ends inside a character that takes two units. */
function part(content: string, offset: number, length: number): string {
  const end = offset + length;
  const splits = /[\uD800-\uDBFF]/.test(content.charAt(end - 1)) && end < content.length && length > 1;
  return content.slice(offset, splits ? end - 1 : end);
}

const result = (id: string, words: string, isError: boolean): ToolResult => ({
  type: 'tool_result',
  tool_use_id: id,
  content: [text(words)],
  is_error: isError,
});
