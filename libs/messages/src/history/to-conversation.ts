/**
 * The caller's messages as a model gets them: one role after the other, in the kinds of block that the port knows.
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
import { documentBlocks } from './document-blocks';
import { checkHowMany, mediaBlock, NO_LINKS, type LinkedImages, type Senses } from './media';
import { toolResultBlocks } from './result-blocks';
import { NO_DOCUMENTS, type SentDocuments } from './sent-documents';

export interface Conversation {
  /** System messages from before the first turn; they belong to the system prompt. */
  readonly system: string;
  readonly messages: readonly ConversationMessage[];
}

/** How the model gets a result that this server gave: such results come back in assistant messages. */
export type OwnResult = (toolUseId: string, content: string) => string;

export interface ConversationParts {
  readonly ours?: OwnResult;
  /** What the documents hold that had to be parsed. */
  readonly documents?: SentDocuments;
  /** The images that were fetched for it. */
  readonly linked?: LinkedImages;
}

interface Given extends Required<ConversationParts> {
  readonly senses: Senses;
}

/** @throws InvalidRequestError for media that the model cannot read, and for a conversation nobody speaks in. */
export function toConversation(
  messages: readonly InputMessage[],
  senses: Senses,
  { ours = (_, content) => content, documents = NO_DOCUMENTS, linked = NO_LINKS }: ConversationParts = {},
): Conversation {
  const firstTurn = messages.findIndex(({ role }) => role !== 'system');
  const turns = new Turns();
  const given: Given = { senses, ours, documents, linked };
  for (const { role, content } of messages.slice(firstTurn)) {
    const speaker = role === 'assistant' ? 'assistant' : 'user';
    for (const block of blocksOf(content)) addBlock(turns, speaker, block, given);
  }
  checkUserSpeaks(messages);
  checkHowMany(turns.merged, senses);
  return { system: messages.slice(0, firstTurn).map(textOf).join('\n'), messages: turns.merged };
}

type Role = ConversationMessage['role'];

/** Consecutive blocks of one role are one message. */
class Turns {
  readonly merged: { role: Role; content: ConversationBlock[] }[] = [];
  /** Images that stood in results so far; they are told apart by their number. */
  imagesInResults = 0;

  add(role: Role, block: ConversationBlock): void {
    const last = this.merged.at(-1);
    if (last?.role === role) last.content.push(block);
    else this.merged.push({ role, content: [block] });
  }
}

function addBlock(turns: Turns, role: Role, block: InputBlock, given: Given): void {
  if (isToolUse(block))
    turns.add('assistant', { type: 'tool_use', id: idOf(block.id), name: block.name, input: block.input });
  else if (isToolResult(block)) addResult(turns, role, block, given);
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
        turns.add(role, mediaBlock(block, given.senses, given.linked));
        break;
      case 'document':
      case 'binary':
        for (const part of documentBlocks(block, given.documents.get(block), given.senses, given.linked))
          turns.add(role, part);
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
        turns.add(role, { type: 'text', text: toolResultBlocks(block.content, { isOurs: true, ...given }).content });
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
const idOf = (id: string): string => id.replace(/^(?:mcptoolu|srvtoolu)_(?=[0-9a-f]{32}$)/, 'tool_');

function addResult(turns: Turns, role: Role, block: InputToolResult, given: Given): void {
  const isOurs = role === 'assistant';
  const { content, images } = toolResultBlocks(block.content, {
    isOurs,
    numberFrom: turns.imagesInResults + 1,
    ...given,
  });
  const toolUseId = idOf(block.tool_use_id);
  const shown = isOurs ? given.ours(toolUseId, content) : content;
  turns.add('user', { type: 'tool_result', toolUseId, content: shown, isError: block.is_error });
  for (const image of images) {
    turns.imagesInResults++;
    turns.add('user', { type: 'text', text: `[image ${turns.imagesInResults}]` });
    turns.add('user', image);
  }
}

const blocksOf = (content: InputMessage['content']): InputBlock[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;

const textOf = ({ content }: InputMessage): string =>
  blocksOf(content)
    .flatMap((block) => {
      if (block.type === 'mid_conv_system') return block.content.map(({ text }) => text);
      return block.type === 'text' ? [block.text] : [];
    })
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
