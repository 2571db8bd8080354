/** What matters of a conversation to the built-in model: what the user asks now, and what tools have answered. */
import { todayIn, type Today } from './dates';
import { splitContext } from './context';
import { languageOf, type Language } from './language';
import type { ChatRequest } from '../chat-model';
import type { ConversationBlock, ConversationMessage, ConversationToolUse } from '../conversation';
import { standalone } from './follow-up';

export interface AnsweredCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly isError: boolean;
}

export interface ReadConversation {
  /** The user's last words, without a text that they sent along. */
  readonly asked: string;
  /** The same, made to stand alone where it leans on earlier questions. */
  readonly question: string;
  /** Documents and long texts that the user sent, newest first. */
  readonly texts: readonly string[];
  readonly language: Language;
  readonly today?: Today;
  /** What tools have answered since the user last spoke. */
  readonly results: readonly AnsweredCall[];
  readonly hasImages: boolean;
}

const SPOKEN: ReadonlySet<string> = new Set(['text', 'image', 'document']);
/** Of one message: reading is quick, but it is done while others wait. */
const DOCUMENTS = 4;
const MAX_DOCUMENT = 100_000;
const EARLIER_QUESTIONS = 4;
const EARLIER_MESSAGES = 200;

export function readConversation({ system, messages }: ChatRequest): ReadConversation {
  const recent = messages.slice(-EARLIER_MESSAGES);
  const lastSpoken = recent.findLastIndex(speaks);
  const spoken = recent.slice(0, lastSpoken + 1).filter(speaks);
  const split = spoken.slice(-EARLIER_QUESTIONS).map((message) => {
    const { question, context } = splitContext(textsOf(message));
    return { question, context, sent: [...(context === '' ? [] : [context]), ...documentsOf(message)] };
  });
  const last = split.at(-1);
  const asked = last?.question ?? '';
  const questions = split.map(({ question }) => question);
  const today = todayIn(system);
  return {
    asked,
    question: standalone(questions),
    texts: split.toReversed().flatMap(({ sent }) => sent),
    language: languageOf(asked, last?.context ?? '', ...questions.slice(0, -1).reverse()),
    ...(today && { today }),
    results: resultsAfter(recent, lastSpoken),
    hasImages: recent[lastSpoken]?.content.some(({ type }) => type === 'image') ?? false,
  };
}

const textsOf = ({ content }: ConversationMessage): string[] =>
  content.flatMap((block) => (block.type === 'text' && block.text.trim() !== '' ? [block.text] : []));

const documentsOf = ({ content }: ConversationMessage): string[] =>
  content
    .flatMap((block) => (block.type === 'document' && block.text.trim() !== '' ? [block.text] : []))
    .slice(0, DOCUMENTS)
    .map((text) => text.slice(0, MAX_DOCUMENT));

const speaks = (message: ConversationMessage): boolean =>
  message.role === 'user' && message.content.some(({ type }) => SPOKEN.has(type));

/** Results may stand in a message of their own or beside the words that come with them. */
function resultsAfter(messages: readonly ConversationMessage[], lastSpoken: number): AnsweredCall[] {
  const calls = new Map<string, ConversationToolUse>();
  const isCall = (block: ConversationBlock) => block.type === 'tool_use';
  for (const block of messages.flatMap(({ content }) => content).filter(isCall)) calls.set(block.id, block);
  return messages.slice(Math.max(0, lastSpoken)).flatMap(({ content }) =>
    content.flatMap((block) => {
      if (block.type !== 'tool_result') return [];
      const call = calls.get(block.toolUseId);
      return [{ name: call?.name ?? 'tool', input: call?.input ?? {}, text: block.content, isError: block.isError }];
    }),
  );
}
