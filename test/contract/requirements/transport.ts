/** Paths, headers, credentials: what a request meets before its body is read. */
import { must, should, type Requirement } from '../requirement';

export const transport: readonly Requirement[] = [
  must('path-prefix', 'messages-api §1.1', 'Every path is served at the root and under the gateway prefix.'),
  must('query-ignored', 'anthropic-compat §1.2', 'A query string that a path has no use for changes nothing.'),
  must('json-type', 'anthropic-compat §1.3', 'What succeeds as JSON says so in its content type, and so do errors.'),
  must('stream-by-body', 'anthropic-compat §1.4', 'The body alone decides whether an answer is streamed.'),
  must(
    'stream-headers',
    'anthropic-compat §1.5',
    'A stream is not cached, buffered or compressed, and flushes events.',
  ),
  must('body-size', 'anthropic-compat §1.6', 'Bodies of tens of megabytes are taken; larger ones are 413.'),
  should('cors', 'anthropic-compat §1.7', 'Pages of configured origins may call the API and read its request ids.'),
  should('probes', 'anthropic-compat §1.8', 'The probes of clients before their first call are answered at once.'),
  should('no-redirects', 'anthropic-compat §1.9', 'No path of the API redirects.'),
  must('base-url-help', 'anthropic-compat §1.10', 'A path with a wrong base URL is a 404 that says the right one.'),
  must('credentials', 'messages-api §1.3', 'A key comes as Bearer, Basic or bare Authorization, or as x-api-key.'),
  must('either-credential', 'anthropic-compat §2', 'Of two credentials that differ, one that is right is enough.'),
  must('no-auth-any-key', 'anthropic-compat §2', 'Without authentication every key passes, an empty one and none.'),
  must('unauthenticated', 'messages-api §1.3', 'No key or a wrong one is 401 with a challenge; health needs none.'),
  must('forbidden', 'messages-api §1.3', 'A key without the right is 403.'),
  must('version-header', 'anthropic-compat §2', 'Both versions of the API are taken, as are an unknown one and none.'),
  must('beta-header', 'anthropic-compat §2', 'Unknown and repeated betas are read over.'),
  must('client-headers', 'anthropic-compat §2', 'Headers that clients add for themselves change nothing.'),
  should('no-version-refusals', 'anthropic-compat §2', 'The newer API version refuses nothing that the older takes.'),
  should('request-id', 'anthropic-compat §2', 'Every response has a request id, errors and streams too.'),
];
