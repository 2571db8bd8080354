/**
 * Text completions on the machinery of messages: a prompt in, the same events out with the words alone
 * (messages-api §12.4).
 */
import {
  InvalidRequestError,
  messagesRequestSchema,
  newCompletionId,
  PlatformError,
  type Completion,
  type CompletionEvent,
  type CompletionRequest,
  type MessagesRequest,
  type StopReason,
  type StreamEvent,
} from '@app/contract';

const HUMAN = '\n\nHuman:';
const SPEAKER = /(?:^|\n\n)(Human|Assistant):/g;

/**
 * The request that a completion is: `\n\nHuman:` and `\n\nAssistant:` begin turns, what stands before the first is the
 * system prompt, and the beginning of an answer is for the model to go on with.
 *
 * @throws InvalidRequestError where nobody asks anything.
 */
export function toMessagesRequest(completion: CompletionRequest): MessagesRequest {
  const { prompt, max_tokens_to_sample: max_tokens, stop_sequences, ...same } = completion;
  const { system, messages, hasTurns } = turnsOf(prompt);
  if (!messages.some(({ role }) => role === 'user')) {
    throw new InvalidRequestError(
      'The prompt cannot be empty: ask something, as in "\\n\\nHuman: Hi\\n\\nAssistant:".',
      {
        code: 'INVALID_REQUEST_EMPTY_MESSAGE_ERROR',
      },
    );
  }
  // A model that goes on with the dialogue by itself speaks for the human next.
  const stops = hasTurns && !stop_sequences.includes(HUMAN) ? [...stop_sequences, HUMAN] : stop_sequences;
  const asked = { ...same, max_tokens, stop_sequences: stops.slice(0, 16), system, messages };
  const checked = messagesRequestSchema.safeParse(asked);
  if (checked.success) return checked.data;
  throw new InvalidRequestError(`The prompt cannot be taken as turns: ${checked.error.issues[0]!.message}`);
}

function turnsOf(prompt: string) {
  const marks = [...prompt.matchAll(SPEAKER)];
  const before = prompt.slice(0, marks[0]?.index).trim();
  const turns = marks.map((mark, at) => ({
    role: mark[1] === 'Human' ? ('user' as const) : ('assistant' as const),
    content: prompt.slice(mark.index + mark[0].length, marks[at + 1]?.index).trim(),
  }));
  const messages = turns.filter(({ content }) => content !== '');
  // Before an answer, or alone, it is the question; before a question, what holds for all of them.
  const asks = messages[0]?.role !== 'user';
  if (asks && before) messages.unshift({ role: 'user', content: before });
  return { system: asks ? '' : before, messages, hasTurns: marks.length > 0 };
}

/** The events of an answer as those of a completion: its words as they come, then why it ends. */
export async function* completionEvents(
  events: AsyncIterable<StreamEvent>,
  { model, stop_sequences }: CompletionRequest,
): AsyncGenerator<CompletionEvent, void> {
  const piece = { type: 'completion', id: newCompletionId(), model } as const;
  for await (const event of events) {
    // The first event tells that the model server has taken the request; nothing of it is the caller's.
    if (event.type === 'message_start') yield { ...piece, completion: '', stop_reason: null, stop: null };
    else if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') {
      yield { ...piece, completion: event.delta.text, stop_reason: null, stop: null };
    } else if (event.type === 'message_delta') {
      const { stop_reason, stop_sequence } = event.delta;
      // The one that we have added is nobody's but ours.
      const stop = stop_sequence != null && stop_sequences.includes(stop_sequence) ? stop_sequence : null;
      yield { ...piece, completion: '', stop_reason: reasonOf(stop_reason), stop };
    }
  }
}

/** Folds them into the whole completion. */
export async function collectCompletion(events: AsyncIterable<CompletionEvent>): Promise<Completion> {
  let text = '';
  for await (const event of events) {
    if (event.type !== 'completion') continue;
    const { id, type, completion, model, stop_reason, stop } = event;
    text += completion;
    if (stop_reason !== null) return { id, type, completion: text, stop_reason, stop, model };
  }
  throw new PlatformError('api_error', 'The answer ended before it was complete.');
}

/** Completions know two reasons, and a model that ends by itself is the first. */
const reasonOf = (reason: StopReason): Completion['stop_reason'] =>
  reason === 'max_tokens' || reason === 'refusal' ? reason : 'stop_sequence';
