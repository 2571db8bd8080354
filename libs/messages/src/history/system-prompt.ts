import type { System } from '@app/contract';

const CITATIONS =
  'The passages that you are given carry a citation identifier of four characters in brackets, like [AB12]. ' +
  'After each statement that rests on a passage, write the identifier of that passage in brackets. ' +
  'Use only identifiers that you were given, and cite nothing else.';

const TOOLS =
  'Where tools give you material, rest your answer on it, and say so plainly when it does not hold the answer.';

const THINKING = 'Think the question through before you answer, and keep your thinking out of the answer.';

export interface PromptOptions {
  /** System messages from before the first turn. */
  readonly early: string;
  readonly instructions: readonly string[];
  /** Whether the model is offered tools, and whether it will think; what is not so is not spoken of. */
  readonly hasTools: boolean;
  readonly thinks: boolean;
  readonly today: () => Date;
}

/** Claude Code's first system block; it is for Anthropic's billing and would change the prompt (anthropic-compat §15.1). */
const BILLING_HEADER = /^x-anthropic-billing-header:.*\n?/;

/**
 * The system prompt: the caller's words, then what this request switches on. The same request gives the same prompt,
 * so that a model server can reuse its beginning; only the default prompt, which the caller asks for, names the date.
 */
export function systemPrompt(system: System, { early, instructions, hasTools, thinks, today }: PromptOptions): string {
  return [
    system.useDefaultPrompt ? defaultPrompt(today()) : '',
    system.text.replace(BILLING_HEADER, ''),
    early,
    system.prompt.tools && hasTools ? TOOLS : '',
    system.prompt.thinking && thinks ? THINKING : '',
    system.citations ? CITATIONS : '',
    ...instructions,
  ]
    .filter(Boolean)
    .join('\n\n');
}

const defaultPrompt = (today: Date) =>
  `Today is ${today.toISOString().slice(0, 10)}. You are a helpful assistant of a private organisation. ` +
  'Answer in the language of the user.';
