/** The events of a streamed answer. */
import { must, should, type Requirement } from '../requirement';

export const stream: readonly Requirement[] = [
  must('stream-frames', 'anthropic-compat §10', 'A frame is an event line equal to its type, one data line, a blank.'),
  must('stream-order', 'messages-api §10', 'Start, blocks, one message_delta, message_stop last.'),
  must('stream-indices', 'messages-api §10', 'Blocks count 0, 1, 2 … over all model calls.'),
  must('stream-deltas', 'anthropic-compat §10', 'Every delta fits its open block; every block is closed once.'),
  must('stream-tool-json', 'messages-api §10', 'A call starts empty and has one non-empty partial_json, complete.'),
  must('stream-results-whole', 'messages-api §10', 'A result arrives complete in its start.'),
  must('stream-same-as-whole', 'messages-api §10', 'The stream folds to what the whole answer is.'),
  must('stream-start-usage', 'anthropic-compat §10', 'message_start has the count of the prompt, and no words.'),
  must(
    'stream-start-fields',
    'anthropic-compat §10',
    'Anthropic clients get reason and sequence as null in the start.',
  ),
  must('stream-nulls', 'messages-api §10', 'Native streams leave null fields out.'),
  must('stream-delta-usage', 'anthropic-compat §10', 'message_delta has the reason, the sequence and the totals.'),
  must('stream-text-around-calls', 'messages-api §10', 'Text before and after a call are two blocks.'),
  must('stream-one-line', 'anthropic-compat §10', 'What a model says cannot break out of its data line.'),
  must('stream-characters', 'anthropic-compat §10', 'Characters are whole, wherever the network cut them.'),
  must('stream-one-block', 'anthropic-compat §15.6', 'Words that follow each other are one block.'),
  must('stream-no-done', 'anthropic-compat §10', 'There is no [DONE], and nothing follows the end.'),
  should('stream-pings', 'messages-api §10', 'A ping goes out after fifteen seconds of silence.'),
  must('stream-early', 'anthropic-compat §10', 'A stream begins before a long prefill is over.'),
  must('stream-error', 'messages-api §10', 'A failure after the start is one error event, and then the end.'),
  must('stream-early-status', 'anthropic-compat §11', 'What can be known before the first word is a status.'),
  must('stream-no-half-call', 'anthropic-compat §10', 'A call that was cut leaves no block behind.'),
  must('stream-abort', 'anthropic-compat §10', 'A caller who goes away stops the model, whole answers too.'),
  must('recorded-upstreams', 'anthropic-compat §10', 'What real model servers sent is one message, streamed or whole.'),
  must(
    'fuzzed-upstreams',
    'anthropic-compat §10',
    'Whatever a model server sends is an answer or a typed error, well formed.',
  ),
  must('stream-rules', 'architecture §3', 'A mistake of ours ends a stream in a typed error, never malformed.'),
];
