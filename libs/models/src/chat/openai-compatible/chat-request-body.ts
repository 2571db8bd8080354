/**
 * A ChatRequest as the body of `POST /v1/chat/completions`.
 *
 * The same request always gives the same text, key by key, so that a model server finds its cached prefix again.
 * Reasoning of earlier answers is not sent: servers refuse or re-read it in different ways, none needs it.
 */
import { asData } from '../as-data';
import { withoutControlTokens } from '../control-tokens';
import type { ChatRequest, PromptRequest, ToolDeclaration, ToolForcing } from '../chat-model';
import type { ConversationBlock, ConversationMessage, ConversationToolUse } from '../conversation';

type WireMessage = Record<string, unknown>;
type Block<Type extends ConversationBlock['type']> = Extract<ConversationBlock, { type: Type }>;

/** The JSON text of the body. `model` is the id as the model server lists it. */
export function chatRequestBody(request: ChatRequest, model: string): string {
  const { tools, toolForcing, jsonSchema } = request;
  const messages = wireMessages(request.system, request.messages);
  const goesOn = continues(messages.at(-1));
  // A key whose value is undefined is left out by JSON.stringify: what the caller did not give is the server's choice.
  return JSON.stringify({
    model,
    messages,
    tools: tools.length > 0 ? tools.map(wireTool) : undefined,
    tool_choice: tools.length > 0 ? wireToolChoice(toolForcing) : undefined,
    parallel_tool_calls: tools.length > 0 && !request.parallelToolCalls ? false : undefined,
    response_format: jsonSchema && { type: 'json_schema', json_schema: { name: 'answer', schema: jsonSchema } },
    max_tokens: request.maxTokens,
    temperature: request.temperature,
    top_p: request.topP,
    top_k: request.topK,
    min_p: request.minP,
    repetition_penalty: request.repetitionPenalty,
    presence_penalty: request.presencePenalty,
    frequency_penalty: request.frequencyPenalty,
    seed: request.seed,
    reasoning_effort: request.effort && REASONING_EFFORT[request.effort],
    // vLLM and SGLang begin a new turn otherwise; most others go on by themselves and read over this.
    add_generation_prompt: goesOn ? false : undefined,
    continue_final_message: goesOn || undefined,
    stream: true,
    stream_options: { include_usage: true },
  });
}

/** The same prompt for the tokenizer of a model server. */
export const wirePrompt = ({ system, messages, tools }: PromptRequest) => ({
  messages: wireMessages(system, messages),
  tools: tools.length > 0 ? tools.map(wireTool) : undefined,
});

/** Whether the conversation ends in words of the assistant, which the model is to go on with (anthropic-compat §4.5). */
const continues = (last: WireMessage | undefined): boolean =>
  last?.role === 'assistant' && last.tool_calls === undefined && last.content !== '';

/** Most servers know three levels and refuse a fourth. */
const REASONING_EFFORT = { low: 'low', medium: 'medium', high: 'high', xhigh: 'high', max: 'high' } as const;

const wireTool = ({ name, description, inputSchema }: ToolDeclaration) => ({
  type: 'function',
  function: { name, description, parameters: inputSchema },
});

function wireToolChoice(forcing: ToolForcing) {
  if (forcing.type === 'tool') return { type: 'function', function: { name: forcing.name } };
  return forcing.type === 'any' ? 'required' : forcing.type;
}

function wireMessages(system: string, messages: readonly ConversationMessage[]): WireMessage[] {
  return [
    ...(system ? [{ role: 'system', content: system }] : []),
    ...messages.flatMap(({ role, content }) => (role === 'user' ? userMessages(content) : assistantMessages(content))),
  ];
}

/** Results first, whatever their place among the blocks: they must follow the calls that they answer. */
function userMessages(content: readonly ConversationBlock[]): WireMessage[] {
  const results = content.filter((block) => block.type === 'tool_result');
  const said = content.filter(isSaid);
  return [...results.map(resultMessage), ...(said.length > 0 ? [{ role: 'user', content: userContent(said) }] : [])];
}

type Said = Block<'text' | 'document' | 'image' | 'audio'>;
const isSaid = (block: ConversationBlock): block is Said =>
  block.type === 'text' || block.type === 'document' || block.type === 'image' || block.type === 'audio';

/** A plain string where there are only words: some chat templates read nothing else. */
function userContent(said: readonly Said[]) {
  const texts = said.map(textOf);
  if (texts.every((text) => text !== undefined)) return texts.join('\n\n');
  return said.map((block, at) => (texts[at] === undefined ? mediaPart(block) : { type: 'text', text: texts[at] }));
}

function textOf(block: Said): string | undefined {
  if (block.type === 'text') return withoutControlTokens(block.text);
  return block.type === 'document' ? documentData(block) : undefined;
}

function mediaPart(block: Said) {
  if (block.type === 'image') {
    return { type: 'image_url', image_url: { url: `data:${block.mediaType};base64,${block.data}` } };
  }
  if (block.type === 'audio') {
    return { type: 'input_audio', input_audio: { data: block.data, format: audioFormat(block.mediaType) } };
  }
  return undefined;
}

/** `mp3` and `wav` are what every server that hears knows; the rest by the name that its MIME type has. */
function audioFormat(mediaType: string): string {
  const type = mediaType.toLowerCase().replace(/^audio\/(?:x-)?|;.*$/g, '');
  return { mpeg: 'mp3', mpeg3: 'mp3', wave: 'wav', 'vnd.wave': 'wav', '': 'wav' }[type] ?? type;
}

/** One message for each stretch without results: an answer of ours that is sent back has them in its middle. */
function assistantMessages(content: readonly ConversationBlock[]): WireMessage[] {
  const messages: WireMessage[] = [];
  let stretch: ConversationBlock[] = [];
  const close = () => {
    if (stretch.length > 0) messages.push(assistantMessage(stretch));
    stretch = [];
  };
  for (const block of content) {
    if (block.type === 'tool_result') {
      close();
      messages.push(resultMessage(block));
    } else if (block.type === 'document') stretch.push({ type: 'text', text: documentData(block) });
    else if (block.type === 'text' || block.type === 'tool_use') stretch.push(block);
  }
  close();
  return messages.length > 0 ? messages : [{ role: 'assistant', content: '' }];
}

function assistantMessage(stretch: readonly ConversationBlock[]): WireMessage {
  const text = withoutControlTokens(stretch.map((block) => (block.type === 'text' ? block.text : '')).join(''));
  const calls = stretch.filter((block) => block.type === 'tool_use').map(wireCall);
  return calls.length > 0
    ? { role: 'assistant', content: text || null, tool_calls: calls }
    : { role: 'assistant', content: text };
}

const wireCall = ({ id, name, input }: ConversationToolUse) => ({
  id,
  type: 'function',
  // What is broken stands inside of strings: outside of them JSON has no such characters in a row.
  function: { name, arguments: withoutControlTokens(JSON.stringify(input)) },
});

/**
 * A result is data, whatever it says: it stands between marks that nothing inside it can write (SEC-146). The marks are
 * the same in every request, or no prompt would ever begin like the one before it. The wire has no flag for a call
 * that failed, so the text says it.
 */
const resultMessage = ({ toolUseId, content, isError }: Block<'tool_result'>): WireMessage => {
  const data = asData(content);
  return { role: 'tool', tool_call_id: toolUseId, content: isError ? `The call failed.\n${data}` : data };
};

/** So is a document that the user sent along. */
function documentData({ title, context, text }: Block<'document'>): string {
  const head = [title !== undefined && `Title: ${title}`, context !== undefined && `Context: ${context}`].filter(
    Boolean,
  );
  return asData([...head, text].join('\n'), 'document_data');
}
