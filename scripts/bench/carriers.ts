/** The two that carry answers from the fake model server to a client: the platform, and the bare forwarder. */
import { startHelper, startServer } from './processes';

/** What a client sends: the prompt tells the fake model server how to answer. */
const prompt = (chunks: number, every: number) =>
  `BENCH ${chunks} ${every}. Summarise the minutes of the meeting below for somebody who was not there. ${'Minutes. '.repeat(60)}`;

export interface Carrier {
  readonly port: number;
  readonly pid: number;
  readonly path: string;
  /** Asks for so many chunks, so many milliseconds apart (0: all at once). */
  body(options: { chunks: number; every: number; stream: boolean }): string;
}

/**
 * Starts the fake model server, the platform and the forwarder, runs, and stops them.
 *
 * The forwarder always asks for a stream, as the platform does behind a whole answer: both carry the same bytes in.
 */
export async function withCarriers<Result>(
  run: (platform: Carrier, forwarder: Carrier) => Promise<Result>,
  env: NodeJS.ProcessEnv = {},
): Promise<Result> {
  const model = await startHelper('helpers/fake-model.js', 'helpers');
  const forwarder = await startHelper('helpers/forwarder.js', 'measured', String(model.port));
  try {
    const server = await startServer({
      core: 'measured',
      env: { OPENAI_BASE_URL: `http://127.0.0.1:${model.port}/v1`, OPENAI_API_KEY: 'bench', ...env },
    });
    try {
      return await run(
        {
          port: server.port,
          pid: server.pid,
          path: '/v1/messages',
          body: ({ chunks, every, stream }) =>
            JSON.stringify({ max_tokens: 1024, stream, messages: [{ role: 'user', content: prompt(chunks, every) }] }),
        },
        {
          port: forwarder.port,
          pid: forwarder.pid,
          path: '/v1/chat/completions',
          body: ({ chunks, every }) =>
            JSON.stringify({
              model: 'bench-model',
              max_tokens: 1024,
              stream: true,
              stream_options: { include_usage: true },
              messages: [{ role: 'user', content: prompt(chunks, every) }],
            }),
        },
      );
    } finally {
      await server.stop();
    }
  } finally {
    forwarder.stop();
    model.stop();
  }
}
