import { contextOverflow } from './context-overflow';

const window = { promptTokens: 7000, contextTokens: 8192 };
const told = (message: string, more: object = {}) => contextOverflow(message, { error: { message, ...more } }, window);

describe('contextOverflow', () => {
  it.each([
    // OpenAI
    "This model's maximum context length is 4096 tokens. However, your messages resulted in 5000 tokens. Please reduce the length of the messages.",
    // vLLM, older and newer
    "This model's maximum context length is 4096 tokens. However, you requested 5512 tokens (5000 in the messages, 512 in the completion). Please reduce the length of the messages or completion.",
    "This model's maximum context length is 4096 tokens. However, your request has 5000 input tokens. Please reduce the length of the input messages.",
    'The decoder prompt (length 5000) is longer than the maximum model length of 4096. Make sure that `max_model_len` is no smaller than the number of text tokens.',
    // llama.cpp
    'request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it',
    // SGLang
    "The input (5000 tokens) is longer than the model's context length (4096 tokens).",
    // LM Studio
    'Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.',
    'prompt is too long: 5000 tokens > 4096 maximum',
  ])('%s', (message) => {
    expect(told(message)).toBe('prompt is too long: 5000 tokens > 4096 maximum');
  });

  it('reads the counts that llama.cpp gives beside its words', () => {
    const fields = { type: 'exceed_context_size_error', n_prompt_tokens: 5000, n_ctx: 4096 };
    expect(told('the request exceeds the available context size, try increasing it', fields)).toBe(
      'prompt is too long: 5000 tokens > 4096 maximum',
    );
  });

  it('tells a prompt that would fit with a shorter answer', () => {
    expect(
      told(
        "This model's maximum context length is 4096 tokens. However, you requested 4200 tokens (4000 in the messages, 200 in the completion).",
      ),
    ).toBe(
      'input length and `max_tokens` exceed context limit: 4000 + 200 > 4096, decrease input length or `max_tokens` and try again',
    );
    expect(
      told(
        "'max_tokens' or 'max_completion_tokens' is too large: 500. This model's maximum context length is 4096 tokens and your request has 4000 input tokens (500 > 4096 - 4000).",
      ),
    ).toContain('4000 + 500 > 4096');
  });

  it('says a length beyond the window where the server gives none', () => {
    expect(told('Too long', { code: 'context_length_exceeded' })).toBe(
      'prompt is too long: 8193 tokens > 8192 maximum',
    );
  });

  it('leaves other refusals alone', () => {
    expect(told('max_tokens must be at least 1, got -5.')).toBeUndefined();
    expect(told('"auto" choice requires --enable-auto-tool-choice')).toBeUndefined();
    expect(contextOverflow('', undefined, window)).toBeUndefined();
    expect(contextOverflow('', { error: 'plain' }, window)).toBeUndefined();
  });
});
