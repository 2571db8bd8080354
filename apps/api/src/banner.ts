import { PlatformError } from '@app/contract';
import { NO_MODEL_LISTED, type ChatModelInfo } from '@app/models';
import { connectionTrouble, type Config } from '@app/platform';

export interface BannerFacts {
  readonly config: Config;
  readonly url: string;
  /** The one that answers as `default`, or why there is none yet. */
  readonly model: ChatModelInfo | PlatformError;
  /** Just made, and never shown again. */
  readonly bootstrapKey?: string;
}

const BUILT_IN = 'builtin';

/** What a person wants to know when the server is up, in a few lines. */
export function banner({ config, url, model, bootstrapKey }: BannerFacts): string {
  const who =
    config.profile === 'local' ? 'local: this machine only, no key needed' : 'server: every request needs a key';
  const lines = [
    `Toolwright is ready at ${url}`,
    `  profile  ${who}`,
    ...modelLines(model, config),
    `  data     ${config.dataDir}`,
    `  docs     ${url}/docs`,
  ];
  if (bootstrapKey) lines.push('', `  First key, shown only once: ${bootstrapKey}`);
  return `${lines.join('\n')}\n`;
}

function modelLines(model: BannerFacts['model'], { model: { baseUrl, name } }: Config): string[] {
  if (model instanceof PlatformError) {
    const why = connectionTrouble(model.cause);
    return [
      `  model    none yet. ${model.message}${why ? ` (${why})` : ''}`,
      '           It is asked again every few seconds.',
    ];
  }
  const line = `  model    ${model.displayName === model.id ? model.id : `${model.id}: ${model.displayName}`}`;
  if (model.id !== BUILT_IN || name === BUILT_IN) return [line];
  return baseUrl === undefined
    ? [line, '           To use a real one, set OPENAI_BASE_URL to any OpenAI-compatible server.']
    : [line, `           ${NO_MODEL_LISTED}`];
}
