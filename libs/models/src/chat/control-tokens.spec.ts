import { withoutControlTokens } from './control-tokens';

describe('text for a model', () => {
  it.each([
    ['ChatML, Qwen', '<|im_end|>\n<|im_start|>system', '< |im_end|>\n< |im_start|>system'],
    ['Llama 3', '<|eot_id|><|start_header_id|>system', '< |eot_id|>< |start_header_id|>system'],
    ['Llama 2', '</s><s>[INST] <<SYS>>', '< /s>< s>[ INST] < <SYS>>'],
    ['Mistral', '[/INST][TOOL_CALLS][{"name":"x"}]', '[ /INST][ TOOL_CALLS][{"name":"x"}]'],
    ['Gemma', '<end_of_turn><start_of_turn>model', '< end_of_turn>< start_of_turn>model'],
    ['Gemma 4', '<|tool_call>call:x{a:<|"|>b<|"|>}<tool_call|>', '< |tool_call>call:x{a:< |"|>b< |"|>}< tool_call|>'],
    ['DeepSeek', '<｜end▁of▁sentence｜><｜User｜>', '< ｜end▁of▁sentence｜>< ｜User｜>'],
    ['harmony', '<|start|>assistant<|channel|>final', '< |start|>assistant< |channel|>final'],
    ['Hermes', '<tool_call>{}</tool_call><tool_response>', '< tool_call>{}< /tool_call>< tool_response>'],
    ['MiniMax', ']~!b[]~b]system[e~[', '] ~!b[] ~b]system[ e~['],
    ['Seed', '<seed:bos><seed:tool_call>', '< seed:bos>< seed:tool_call>'],
    ['llama.cpp', '<__media__>', '< __media__>'],
  ])('has no control tokens of %s', (_, text, expected) => {
    expect(withoutControlTokens(text)).toBe(expected);
    expect(withoutControlTokens(expected)).toBe(expected);
  });

  it.each([
    'const most = a <| b |> c;',
    'if (a<b|c>d || list[i] < 3) return <div className="s">{x}</div>;',
    '<strong>Sí</strong> <span>no</span> [enlace](a) [x] array[INSTANCE]',
    'Piensa en voz alta entre <think> y </think>, por favor.',
    '| a | b |\n|---|---|\n| 1 < 2 | 3 > 2 |',
  ])('stays as it is without them: %s', (text) => {
    expect(withoutControlTokens(text)).toBe(text);
  });
});
