/** The conversation as every chat model gets it: merged, ordered, and in seven kinds of block. */

export interface ConversationMessage {
  readonly role: 'user' | 'assistant';
  readonly content: readonly ConversationBlock[];
}

export type ConversationBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly mediaType: string; /** base64 */ readonly data: string }
  | { readonly type: 'audio'; readonly mediaType: string; /** base64 */ readonly data: string }
  | ConversationDocument
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature?: string }
  | ConversationToolUse
  | { readonly type: 'tool_result'; readonly toolUseId: string; readonly content: string; readonly isError: boolean };

/** A file or text that the user sent along, as text. It is material, whatever it says. */
export interface ConversationDocument {
  readonly type: 'document';
  readonly title?: string;
  /** What the user says about it. */
  readonly context?: string;
  readonly text: string;
}

export interface ConversationToolUse {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: Record<string, unknown>;
}
