/**
 * The caller's messages as a model gets them: one role after the other, in five kinds of block.
 *
 * Results that stand in an assistant message, as our own answers hold them, become the user turn that a model
 * expects. A system message in the middle of a conversation becomes text of the user turn beside it: in the system
 * prompt it would change the beginning of the prompt, and the model server's cache with it (anthropic-compat §4.2).
 */
import {
  InvalidRequestError,
  isToolResult,
  isToolUse,
  type InputBlock,
  type InputMessage,
  type InputToolResult,
} from '@app/contract';
import type { ConversationBlock, ConversationMessage } from '@app/models';
import { withMarks } from '../citations';
import { mediaBlock } from './media';
import { documentText } from './document-text';

export interface Conversation {
  /** System messages from before the first turn; they belong to the system prompt. */
  readonly system: string;
  readonly messages: readonly ConversationMessage[];
}

/** How the model gets a result that this server gave: such results come back in assistant messages. */
export type OwnResult = (toolUseId: string, content: string) => string;

/** @throws InvalidRequestError for media that the model cannot read, and for a conversation nobody speaks in. */
export function toConversation(
  messages: readonly InputMessage[],
  model: { images: boolean },
  ours: OwnResult = (_, content) => content,
): Conversation {
  const firstTurn = messages.findIndex(({ role }) => role !== 'system');
  const turns = new Turns();
  for (const { role, content } of messages.slice(firstTurn)) {
    const speaker = role === 'assistant' ? 'assistant' : 'user';
    for (const block of blocksOf(content)) addBlock(turns, speaker, block, { ...model, ours });
  }
  checkUserSpeaks(messages);
  return { system: messages.slice(0, firstTurn).map(textOf).join('\n'), messages: turns.merged };
}

type Role = ConversationMessage['role'];

/** Consecutive blocks of one role are one message. */
class Turns {
  readonly merged: { role: Role; content: ConversationBlock[] }[] = [];

  add(role: Role, block: ConversationBlock): void {
    const last = this.merged.at(-1);
    if (last?.role === role) last.content.push(block);
    else this.merged.push({ role, content: [block] });
  }
}

function addBlock(
  turns: Turns,
  role: Role,
  block: InputBlock,
  { ours, ...model }: { images: boolean; ours: OwnResult },
): void {
  if (isToolUse(block))
    turns.add('assistant', { type: 'tool_use', id: idOf(block.id), name: block.name, input: block.input });
  else if (isToolResult(block)) turns.add('user', toolResult(block, role === 'assistant' ? ours : undefined));
  else {
    switch (block.type) {
      case 'text':
        if (block.text) turns.add(role, { type: 'text', text: withMarks(block.text) });
        break;
      case 'thinking':
        if (block.thinking) turns.add(role, { type: 'thinking', thinking: block.thinking, signature: block.signature });
        break;
      case 'image':
      case 'audio':
        turns.add(role, mediaBlock(block, model));
        break;
      case 'document':
      case 'binary':
        turns.add(role, { type: 'text', text: documentText(block) });
        break;
      case 'search_result':
        turns.add(role, {
          type: 'text',
          text: [block.title, block.source, ...block.content.map(({ text }) => text)].join('\n'),
        });
        break;
      case 'mid_conv_system':
        turns.add('user', { type: 'text', text: block.content.map(({ text }) => text).join('\n') });
        break;
      case 'tldr':
        turns.add(role, { type: 'text', text: innerText(block.content) });
        break;
      case 'resource':
      case 'resource_link':
      case 'local_resource':
      case 'container_upload':
        // A model that is asked about something it never got would guess; it can say so instead.
        if (role === 'user') turns.add(role, { type: 'text', text: `[a ${block.type} block, which was not read]` });
    }
  }
}

/** Anthropic clients got our own calls under another id than the model did; it gets back its own. */
const idOf = (id: string): string => id.replace(/^mcptoolu_(?=[0-9a-f]{32}$)/, 'tool_');

function toolResult(block: InputToolResult, ours?: OwnResult): ConversationBlock {
  const toolUseId = idOf(block.tool_use_id);
  const content = innerText(block.content);
  return { type: 'tool_result', toolUseId, content: ours?.(toolUseId, content) ?? content, isError: block.is_error };
}

/** What stands in a result, as text; what has no text leaves a visible note rather than nothing. */
function innerText(content: InputToolResult['content']): string {
  if (typeof content === 'string') return content;
  const parts = Array.isArray(content) ? content : [content];
  return parts
    .map((part) => {
      if (part.type === 'text' && typeof part.text === 'string') return part.text;
      if (part.type === 'source') return '';
      if (part.type === 'image') return '[an image, which this model cannot see in a tool result]';
      return JSON.stringify(part);
    })
    .filter(Boolean)
    .join('\n');
}

const blocksOf = (content: InputMessage['content']): InputBlock[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;

const textOf = ({ content }: InputMessage): string =>
  blocksOf(content)
    .flatMap((block) => (block.type === 'text' ? [block.text] : []))
    .join('\n');

/** messages-api §9, engine stage. A message of results alone is not one in which the user speaks: look further back. */
function checkUserSpeaks(messages: readonly InputMessage[]): void {
  const spoken = messages.filter(({ role, content }) => role === 'user' && !blocksOf(content).every(isToolResult));
  const last = spoken.at(-1);
  if (!last) throw new InvalidRequestError('No user message found in request.');
  const says = blocksOf(last.content).some((block) =>
    block.type === 'text' ? block.text.trim() : !isToolResult(block),
  );
  if (!says) {
    throw new InvalidRequestError('The message cannot be empty.', { code: 'INVALID_REQUEST_EMPTY_MESSAGE_ERROR' });
  }
}
