/** The fields of a request. */
import { may, must, should, type Requirement } from '../requirement';

export const request: readonly Requirement[] = [
  must('messages-alone', 'messages-api §3.1', 'A request needs nothing but messages.'),
  must('unknown-fields', 'messages-api §1.1', 'Unknown fields are read over, at every depth.'),
  must('aliases', 'messages-api §1.1', 'Fields are taken in snake_case and camelCase; snake_case wins.'),
  must('model-default', 'messages-api §3.1', 'No model, null, `default` and `claude-*` are the default model.'),
  must(
    'model-unknown',
    'architecture §6',
    'An unknown model is 400 natively and 404 for Anthropic clients, by status.',
  ),
  must('max-tokens-clamped', 'anthropic-compat §3', 'A limit above what the model can do is lowered, not refused.'),
  must(
    'max-tokens-shown',
    'messages-api §12.3',
    'No answer gets more tokens than the list of models shows for its model.',
  ),
  must('max-tokens-zero', 'messages-api §3.1', 'A limit of zero or less, or null, is no limit of the caller.'),
  must('sampling', 'messages-api §3.1', 'temperature, top_p, top_k, min_p, penalties and seed reach the model.'),
  must('sampling-ranges', 'messages-api §3.1', 'temperature and top_p outside of 0 to 1 and a negative top_k are 400.'),
  must('sampling-negative', 'messages-api §3.1', 'A negative penalty or seed counts as none.'),
  must('nulls', 'messages-api §3.1', 'A null in an optional field is the field left out.'),
  must('service-fields', 'messages-api §3.1', 'service_tier, container, inference_geo, speed and the like do nothing.'),
  must('cache-control', 'anthropic-compat §3', 'cache_control is taken on top, on blocks, tools and system.'),
  must('context-management', 'anthropic-compat §3', 'context_management is taken, whatever it asks for.'),
  must('metadata', 'messages-api §3.1', 'metadata is taken, with a JSON text as user_id, of at most 512 characters.'),
  must(
    'priority',
    'messages-api §3.1',
    'priority is taken as a hint, a whole number or null: async messages with a higher one are begun first.',
  ),
  must('correlation-id', 'messages-api §3.1', 'correlation_id comes back in inline citations.'),
  must('thread', 'anthropic-compat §14', 'A message thread is refused by the code on which clients send the history.'),
  must('mcp-refused', 'anthropic-compat §3', 'MCP servers that are not served are a 400 with the code of MCP.'),

  must('system-forms', 'messages-api §3.3', 'system is a text, a block, an object, null, or a list that mixes them.'),
  must(
    'system-media',
    'messages-api §3.3',
    'What is no text in a system prompt is refused by its place, and not lost.',
  ),
  must('system-merge', 'messages-api §3.3', 'Entries are one: texts by newline, switches by OR, lists by union.'),
  must('system-blocks', 'anthropic-compat §3', 'System blocks may carry cache_control and citations of any kind.'),
  must('system-prompt-options', 'messages-api §3.3', 'prompt and prompt_config add the parts they name, and no more.'),
  must('default-prompt', 'messages-api §3.3', 'use_default_prompt adds the prompt of the platform, with the date.'),
  should('billing-header', 'anthropic-compat §15', 'The billing block of Claude Code does not reach the model.'),
  must('prompt-deterministic', 'anthropic-compat §15', 'The same request is the same prompt; the clock is not in it.'),
  must('prompt-extends', 'anthropic-compat §15', 'The prompt of a next turn begins with the whole prompt before it.'),

  must('results-are-data', 'security §12', 'Results stand between marks that nothing inside of them can write.'),
  must('control-tokens', 'security §12', 'Tokens of chat templates are broken in all but the caller’s system prompt.'),
  must('text-is-no-call', 'security §12', 'Nothing but the model’s own output is ever taken for a call.'),
  must('tools-are-fixed', 'security §12', 'Nothing that is read adds a tool to a request.'),

  must('thinking-forms', 'messages-api §3.4', 'Thinking is switched on by `enabled`, by `type`, or by an effort.'),
  must('thinking-effort', 'messages-api §3.4', 'The effort of output_config wins over that of thinking; else medium.'),
  must('thinking-disabled', 'anthropic-compat §3', '`disabled` wins over every effort.'),
  must('thinking-wish', 'anthropic-compat §3', '`adaptive` and efforts do nothing to a model that cannot think.'),
  must('thinking-insisted', 'messages-api §3.4', '`enabled: true` for a model that cannot think is 400 by its code.'),

  must('format-forms', 'messages-api §3.5', 'A JSON document is asked for by response_format or output_config.format.'),
  should('output-format', 'anthropic-compat §3', 'output_format is the older name of output_config.format.'),
  must('format-document', 'messages-api §3.5', 'The answer is one text block, whose text is the document.'),
  must('format-checked', 'messages-api §3.5', 'A document that does not fit is asked for again once, then an error.'),
  must('format-with-tools', 'anthropic-compat §17', 'Beside tools of the caller the answer is a call or the document.'),
  must('output-config-unknown', 'anthropic-compat §3', 'Keys of output_config that nobody knows are read over.'),

  must('stop-sequence', 'messages-api §3.1', 'The answer ends before a stop sequence, and says which it was.'),
  must(
    'stop-sequence-split',
    'messages-api §3.1',
    'A stop sequence in several pieces is found, and none of it is shown.',
  ),
  must('stop-sequence-hangs-up', 'messages-api §3.1', 'The model is called off at a stop sequence.'),
  may('many-messages', 'anthropic-compat §3', 'A conversation may be long: up to 2,000 messages.'),
];
