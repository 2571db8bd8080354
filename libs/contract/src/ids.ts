/** Identifiers as they look on the wire (messages-api §1.2). */

const BYTES = 16;
/** Random bytes for many ids at once: asking for them one id at a time costs more than all the rest of it. */
const pool = new Uint8Array(256 * BYTES);
let used = pool.length;

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

function hex(): string {
  if (used === pool.length) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  let text = '';
  for (const end = used + BYTES; used < end; used++) text += HEX[pool[used]!];
  return text;
}

/** `msg_` and 32 hex digits: one answer. */
export const newMessageId = () => `msg_${hex()}`;

/** `compl_` and 32 hex digits: one text completion. */
export const newCompletionId = () => `compl_${hex()}`;

/** `block_` and 32 hex digits: one content block of a stream. */
export const newBlockId = () => `block_${hex()}`;

/** `toolu_` and 32 hex digits: a call of a caller's own tool that the model gave no usable id. */
export const newToolUseId = () => `toolu_${hex()}`;

/** `tool_` and 32 hex digits: a call that the server runs itself. */
export const newServerToolUseId = () => `tool_${hex()}`;

/** `mcptoolu_` and 32 hex digits: the same, as the Anthropic dialect shows it (anthropic-compat §9). */
export const newMcpToolUseId = () => `mcptoolu_${hex()}`;

/** `req_` and 32 hex digits: one HTTP request; the `request-id` response header and `request_id` of errors. */
export const newRequestId = () => `req_${hex()}`;

/** What a tool call id may look like; others are replaced on the way out and refused on the way in. */
export const TOOL_USE_ID = /^[a-zA-Z0-9_-]+$/;
