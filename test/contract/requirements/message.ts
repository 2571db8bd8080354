/** The whole answer. */
import { gap, may, must, should, type Requirement } from '../requirement';

export const message: readonly Requirement[] = [
  must('message-shape', 'anthropic-compat §7', 'An answer has id, type, role, model, content, reason and usage.'),
  must('message-model', 'architecture §6', 'Its model is the one that answered.'),
  must('usage', 'anthropic-compat §7', 'Token counts are whole numbers, and the prompt is never zero.'),
  must('usage-summed', 'messages-api §8', 'Usage is summed over all model calls.'),
  must('usage-missing', 'messages-api §8', 'A model server that reports none is estimated.'),
  must('usage-cached', 'anthropic-compat §7', 'Cached tokens are told apart, and not counted twice.'),
  should('usage-cache-counters', 'anthropic-compat §7', 'The counters of the cache are there also when they are zero.'),
  may('usage-server-tools', 'anthropic-compat §7', 'Usage says how many pages were fetched for a dated type.'),
  must('stop-end-turn', 'messages-api §8', 'An answer that has ended says end_turn.'),
  must('stop-max-tokens', 'anthropic-compat §7', 'One that was cut by its limit never says end_turn.'),
  must('stop-refusal', 'messages-api §8', 'One that a filter cut says refusal.'),
  must('thinking-apart', 'anthropic-compat §8', 'Thinking stands in its own block before the text.'),
  must('thinking-unasked', 'anthropic-compat §8', 'Thinking that nobody asked for is never text.'),
  must(
    'thinking-tags',
    'anthropic-compat §8',
    'Thinking that a model server leaves in the text is told apart from it.',
  ),
  must('thinking-only', 'anthropic-compat §8', 'An answer of thinking alone is well formed.'),
  must('thinking-signature', 'anthropic-compat §8', 'The signature of a thinking block is a text.'),
  should('thinking-omitted', 'anthropic-compat §8', 'display omitted shows the block without its words.'),
  must('citations-tags', 'messages-api §6.4', 'Known marks become inline tags, and entries beside the text.'),
  must('citations-known', 'messages-api §6.4', 'known_citations keep their index, and counting goes on after them.'),
  must('citations-unknown', 'messages-api §6.4', 'Marks that nothing was retrieved for are left as written.'),
  must('citations-history', 'messages-api §6.4', 'Tags in the history become marks again.'),
  must('citations-off', 'anthropic-compat §8', 'Anthropic clients get no citations of a type they do not know.'),
  must('failure-is-status', 'messages-api §8', 'A failure of a whole answer is a status, never a 200.'),
  gap(
    should('mcp-servers', 'messages-api §7', 'Tools of MCP servers are listed, offered and run.'),
    'The server is no MCP client yet; mcp_servers are refused.',
  ),
];
