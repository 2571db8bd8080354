/**
 * Keeps text from being read as the control tokens of a chat template (SEC-147).
 *
 * Model servers put the whole prompt together as text and many of them then find control tokens anywhere in it: what a
 * document says could end its turn and begin one of the system's. A space inside breaks the token and leaves the words
 * to be read. It is done to all that is not the operator's or the caller's instruction.
 */

/** By family; `<` and what follows is common to most. */
const FORMS = [
  // ChatML, Llama 3, Phi, Command, Granite, Kimi, GLM, harmony, and the half pipes of Gemma 4.
  /<\|[A-Za-z/][\w./:-]{0,60}\|?>/,
  /<[A-Za-z/][\w./:-]{0,60}\|>/,
  /<\|["']\|>/,
  // DeepSeek and Hunyuan, with full-width bars.
  /<｜[^<>｜\n]{1,60}｜>/,
  // Llama 2, Mistral, Gemma; the marks of calls and results that Qwen, Hermes and others have as tokens.
  /<\/?(?:s|bos|eos|pad|unk|sop|eop|start_of_turn|end_of_turn|tool_calls?|tool_response|TOOLCALL|start_function_call|end_function_call|start_function_response|end_function_response)>/,
  /<<\/?SYS>>/,
  /<\/?(?:seed|minimax|longcat)[:_][\w:]{1,40}>/,
  // Where llama.cpp and others put an image.
  /<__(?:media|image|audio)__>/,
  /\[\/?(?:INST|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|AVAILABLE_TOOLS|SYSTEM_PROMPT|MODEL_SETTINGS|CALL_ID|ARGS|THINK|IMG|IMG_BREAK|IMG_END|gMASK)\]/,
  // MiniMax.
  /\]~!?b[\][]|\[e~\[/,
];

const CONTROL_TOKEN = new RegExp(FORMS.map(({ source }) => source).join('|'), 'g');

/** The same text with its control tokens broken: `< |im_start|>`. */
export function withoutControlTokens(text: string): string {
  return text.replace(CONTROL_TOKEN, (token) => `${token[0]} ${token.slice(1)}`);
}
