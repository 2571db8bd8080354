/** The endpoints beside POST /v1/messages. */
import { must, should, type Requirement } from '../requirement';

export const endpoints: readonly Requirement[] = [
  must('validate-ok', 'messages-api §12.2', 'A good request is valid, without a word of the model.'),
  must('validate-engine', 'messages-api §12.2', 'What the engine refuses is 400 with valid false and the reasons.'),
  must('validate-schema', 'messages-api §12.2', 'What the body alone tells is the usual 400.'),
  must('count-tokens', 'messages-api §12.1', 'A request is counted with its system prompt and tools, above zero.'),
  should('count-as-started', 'anthropic-compat §12', 'The count is what message_start will say.'),
  must('count-extra-fields', 'anthropic-compat §12', 'Fields that do not count are read over.'),

  should('count-by-server', 'anthropic-compat §12', 'The model server counts where it can; the answer says who did.'),

  must(
    'complete-shape',
    'messages-api §12.4',
    'A text completion has its id, words, reason and the model that was named.',
  ),
  must('complete-turns', 'messages-api §12.4', 'A prompt of Human and Assistant is read as turns.'),
  must(
    'complete-stops',
    'messages-api §12.4',
    'It ends at its stop sequences, before the human speaks, and at its limit.',
  ),
  must('complete-fields', 'messages-api §1.1', 'Its fields are taken in camelCase as well.'),
  should('complete-stream', 'messages-api §12.4', 'Anthropic clients may have it streamed; others get it whole.'),

  must('models-list', 'messages-api §12.3', 'Models are listed by pages with cursors.'),
  must('models-has-more', 'anthropic-compat §12', 'has_more is true only where another page is.'),
  must('models-cursors', 'messages-api §12.3', 'Two cursors at once, and bad limits, are 400.'),
  must('models-get', 'anthropic-compat §12', 'One model by its id, also with a slash or colon in it; else 404.'),
  must('models-entry', 'messages-api §12.3', 'An entry tells limits and abilities by the names of the contract.'),
  should('models-both-dialects', 'anthropic-compat §12', 'One list serves Anthropic and OpenAI clients.'),

  must('async-start', 'messages-api §11', 'An async message is taken at once; stream is ignored.'),
  must('async-id', 'messages-api §11', 'Its id may be the caller’s, once.'),
  must('async-schema', 'messages-api §11', 'A bad body is refused at once.'),
  must('async-replay', 'messages-api §11', 'Every reader gets all events from the first, early or late.'),
  must('async-reader-leaves', 'messages-api §11', 'A reader who leaves stops nothing.'),
  must('async-status', 'messages-api §11', 'The status goes from pending to its end, with times and metadata.'),
  must('async-error', 'messages-api §11', 'A failed run ends as error with its words, and so does its replay.'),
  must(
    'async-cancel',
    'messages-api §11',
    'Cancel stops the model and keeps what was said; after the end it changes nothing.',
  ),
  must('async-delete', 'messages-api §11', 'Delete removes everything; 200 with null, then 404.'),
  must('async-unknown', 'messages-api §11', 'An unknown id is 404 in the contract’s words.'),
  must('async-retention', 'messages-api §11', 'Messages are kept for a time and up to a number of events.'),
  must(
    'async-expiry',
    'messages-api §11',
    'What has expired is 404; what runs, or is being read, is not touched by it.',
  ),
  must('async-restart', 'messages-api §11', 'A restart ends a run as error, or loses nothing.'),
  must('async-prefix', 'messages-api §11', 'The second prefix reaches the same messages.'),

  should('batches-404', 'anthropic-compat §13', 'Batches are not served: 404 with the envelope.'),
  should('files-404', 'anthropic-compat §13', 'Files are not served: 404 with the envelope.'),
  should('parallel-requests', 'anthropic-compat §15.5', 'Requests that overlap are all answered.'),
];
