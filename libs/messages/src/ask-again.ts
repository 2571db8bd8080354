import type { ConversationMessage } from '@app/models';

/** Adds what the model said, if anything, and the sentence that asks it to do better, as the next user turn. */
export function askAgain(messages: ConversationMessage[], instead: string, sentence: string): void {
  const asking = { type: 'text', text: sentence } as const;
  const last = messages.at(-1);
  if (instead.trim()) messages.push({ role: 'assistant', content: [{ type: 'text', text: instead }] });
  else if (last?.role === 'user') {
    messages[messages.length - 1] = { role: 'user', content: [...last.content, asking] };
    return;
  }
  messages.push({ role: 'user', content: [asking] });
}
