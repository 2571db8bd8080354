import type { ChatModelInfo } from '@app/models';
import { loadConfig } from '@app/platform';
import { banner } from './banner';

describe('what is said when the server is up', () => {
  const said = (id: string, displayName: string) => {
    const abilities = { images: false, thinking: false, structuredOutput: true };
    const model: ChatModelInfo = { id, displayName, contextTokens: 8192, maxOutputTokens: 8192, ...abilities };
    return banner({ config: loadConfig({}), url: 'http://127.0.0.1:8080', model });
  };

  it('names the model once, and what it is where its name does not tell', () => {
    expect(said('builtin', 'built-in extractive model (no LLM)')).toContain(
      '\n  model    builtin: built-in extractive model (no LLM)\n           To use a real one',
    );
    expect(said('qwen3:8b', 'qwen3:8b')).toContain('\n  model    qwen3:8b\n  data ');
  });
});
