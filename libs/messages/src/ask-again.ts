import type { ConversationMessage } from '@app/models';

/** Adds a turn. What the assistant says after a last turn of its own goes on with it, as it does with a prefill. */
export function addTurn(messages: ConversationMessage[], turn: ConversationMessage): void {
  const last = messages.at(-1);
  if (last?.role !== turn.role) messages.push(turn);
  else messages[messages.length - 1] = { role: turn.role, content: [...last.content, ...turn.content] };
}

/** Adds what the model said, if anything, and the sentence that asks it to do better, as the next user turn. */
export function askAgain(messages: ConversationMessage[], instead: string, sentence: string): void {
  if (instead.trim()) addTurn(messages, { role: 'assistant', content: [{ type: 'text', text: instead }] });
  addTurn(messages, { role: 'user', content: [{ type: 'text', text: sentence }] });
}
