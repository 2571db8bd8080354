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
/** Of what a result may take, the bytes that its beginning, or a page of it, has at most, and a page in characters. */
const SHARE_SHOWN = 0.75;
const SHARE_OF_PAGE = 0.25;
/** However small a window is said to be, reading on has to come to an end. */
const MIN_BYTES = 1024;

export class KeptResults {
  private readonly kept = new Map<string, string>();
  private declared: ToolDeclaration | undefined;

  private readonly maxBytes: number;
  /** Bytes of a beginning, or of a page. */
  private readonly maxShown: number;
  private readonly page: number;

  /** @param contextTokens the window of the model. */
  constructor(
    private readonly offered: readonly ToolDeclaration[],
    contextTokens = Infinity,
  ) {
    const share = Math.floor(contextTokens * BYTES_OF_TOKEN * SHARE_OF_WINDOW);
    this.maxBytes = Math.max(MIN_BYTES, Math.min(MAX_BYTES, share));
    this.maxShown = Math.floor(this.maxBytes * SHARE_SHOWN);
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
    const head = part(content, 0, HEAD, this.maxShown);
    return (
      `${head}\n\n[This result was shortened: it has ${content.length} characters (${bytes} bytes) ` +
      `in ${lines} lines. Read on with ${this.reader.name}: {"handle": "${handle}", "offset": ${head.length}}]`
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
    const from = startOf(content, Math.min(offset, content.length));
    const page = part(content, from, Math.min(length, this.page), this.maxShown);
    return result(id, `${page}\n\n[Characters ${from} to ${from + page.length} of ${content.length}.]`, false);
  }

  private handles(): string {
    return `Handles: ${[...this.kept.keys()].join(', ')}.`;
  }
}

/** Never ends inside a character that takes two units: one of them is given whole, even where one unit is wanted. */
function part(content: string, offset: number, length: number, maxBytes: number): string {
  const text = withinBytes(content.slice(offset, offset + length), maxBytes);
  if (!/[\uD800-\uDBFF]$/.test(text) || offset + text.length === content.length) return text;
  return text.length > 1 ? text.slice(0, -1) : content.slice(offset, offset + 2);
}

/** Where the character begins that an offset is in. */
const startOf = (content: string, offset: number): number =>
  offset > 0 && content.codePointAt(offset - 1)! > 0xffff ? offset - 1 : offset;

function withinBytes(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(maxBytes));
  return text.slice(0, read);
}

const result = (id: string, words: string, isError: boolean): ToolResult => ({
  type: 'tool_result',
  tool_use_id: id,
  content: [text(words)],
  is_error: isError,
});
