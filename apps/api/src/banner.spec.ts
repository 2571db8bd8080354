import { PlatformError } from '@app/contract';
import type { ChatModelInfo } from '@app/models';
import { loadConfig } from '@app/platform';
import { banner } from './banner';

describe('what is said when the server is up', () => {
  const said = (id: string, displayName: string, settings = {}) => {
    const abilities = { images: false, thinking: false, structuredOutput: true };
    const model: ChatModelInfo = { id, displayName, contextTokens: 8192, maxOutputTokens: 8192, ...abilities };
    return banner({ config: loadConfig(settings), url: 'http://127.0.0.1:8080', model });
  };

  it('names the model once, and what it is where its name does not tell', () => {
    expect(said('builtin', 'built-in extractive model (no LLM)')).toContain(
      '\n  model    builtin: built-in extractive model (no LLM)\n           To use a real one',
    );
    expect(said('qwen3:8b', 'qwen3:8b')).toContain('\n  model    qwen3:8b\n  data ');
  });

  it('does not ask for a model server that is named already, but says what is wrong with it', () => {
    const named = said('builtin', 'built-in', { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' });
    expect(named).toMatch(/ {2}model {4}builtin: built-in\n {11}The server at OPENAI_BASE_URL lists no models/);
    expect(said('builtin', 'built-in', { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1', MODEL: 'builtin' })).toMatch(
      / {2}model {4}builtin: built-in\n {2}data/,
    );
  });

  it('says why there is no model yet', () => {
    const model = new PlatformError('overloaded_error', 'It cannot be reached.', {
      cause: Object.assign(new Error('connect 10.0.0.1'), { code: 'ECONNREFUSED' }),
    });
    expect(banner({ config: loadConfig({}), url: 'http://127.0.0.1:8080', model })).toContain(
      '  model    none yet. It cannot be reached. (nothing listens there)\n',
    );
  });
});
