/** What a refusal looks like. */
import { must, should, type Requirement } from '../requirement';

export const errors: readonly Requirement[] = [
  must('error-envelope', 'messages-api §1.4', 'Every failing path answers with the one envelope, as JSON.'),
  must('error-detail', 'messages-api §1.4', 'The top-level detail equals the explanation.'),
  must('error-issues', 'messages-api §1.4', 'A bad body is a list of type, loc and msg; loc begins with body.'),
  must('error-message', 'anthropic-compat §11', 'error.message says what is wrong.'),
  must('error-status-400', 'messages-api §1.4', 'A bad body is 400, never 422.'),
  must('error-request-id', 'architecture §6', 'request_id equals the request-id header.'),
  must('error-exception', 'messages-api §1.4', 'exception has a public category, and nothing of the inside.'),
  must('error-codes', 'messages-api §1.4', 'error.detail.code is a code of the contract.'),
  must('error-not-found', 'anthropic-compat §11', 'Unknown paths and ids are 404, a wrong method 405.'),
  must('error-too-large', 'anthropic-compat §1.6', 'Too many bytes are 413 and name the setting.'),
  must('error-rate', 'anthropic-compat §11', 'Too many requests are 429 with a time to wait.'),
  must('error-overloaded', 'anthropic-compat §11', 'A model server that is down or busy is 529 with a time to wait.'),
  must(
    'error-timeout',
    'anthropic-compat §11',
    'Who takes too long is a timeout_error: 408 a caller, 504 a model server.',
  ),
  must('error-conflict', 'anthropic-compat §11', 'A conflict at a model server is a conflict_error, 409.'),
  should('error-no-retry', 'anthropic-compat §11', 'A 500 of our own asks not to be repeated.'),
  must('error-no-secrets', 'messages-api §1.4', 'No error repeats values, connection strings or what is inside.'),
  must('error-model-server', 'messages-api §1.4', 'What a model server does wrong has its status and its words.'),
  should('error-tool-word', 'anthropic-compat §11', 'Refusals that have to do with no tool do not say the word.'),
];
