/** The Python client, in a process of its own (`anthropic_client.py`), where Python has it. */
import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type Anthropic from '@anthropic-ai/sdk';
import { answerOf, paramsOf } from './anthropic-sdk';
import {
  SEARCH,
  type Answer,
  type Ask,
  type Client,
  type Driver,
  type Failure,
  type JsonObjectSchema,
  type Ran,
} from './client';

/** Set by `.ci/run` to the Python of the environment into which it has installed the client. */
export const PYTHON = process.env.TEST_PYTHON || 'python3';

const found = spawnSync(PYTHON, ['-c', 'import anthropic, pydantic; print(anthropic.__version__)'], {
  encoding: 'utf8',
});

/** Why the Python client cannot be tried here; undefined where it can. */
export function whyNoPython(): string | undefined {
  const { error, status, stderr } = found;
  if (error) return `${PYTHON} cannot be run (${error.message})`;
  return status === 0 ? undefined : `${PYTHON} has no anthropic (${stderr.trim().split('\n').at(-1)})`;
}

export const python: Driver = {
  name: 'anthropic for Python',
  structuredWays: ['messages.parse', 'messages.stream'],
  lists: true,
  failures: {
    400: 'BadRequestError',
    401: 'AuthenticationError',
    404: 'NotFoundError',
    413: found.stdout?.startsWith('1.') ? 'RequestTooLargeError' : 'ContentTooLargeError',
    429: 'RateLimitError',
    529: 'OverloadedError',
  },
  failure: (thrown) => (thrown as PythonError).failure,
  open: ({ url, key, retries = 0 }) => new PythonClient({ url, key, retries }),
};

class PythonError extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}

interface Outcome {
  readonly number: number;
  readonly text?: string;
  readonly value?: any;
  readonly failure?: Failure;
}

/** One process serves all clients that are open: Python takes its time to load the package. */
class PythonProcess {
  private static current: PythonProcess | undefined;
  private readonly process: ChildProcessWithoutNullStreams;
  private readonly waiting = new Map<number, (outcome: Outcome) => void>();
  private numbers = 0;
  private users = 0;
  private said = '';
  private gone: Failure | undefined;

  static join(): PythonProcess {
    const process = (PythonProcess.current ??= new PythonProcess());
    process.users++;
    return process;
  }

  private constructor() {
    this.process = spawn(PYTHON, [join(__dirname, 'anthropic_client.py')], {
      env: { PATH: process.env.PATH, HOME: process.env.HOME, LANG: 'C.UTF-8', PYTHONDONTWRITEBYTECODE: '1' },
    });
    this.process.stderr.on('data', (text: Buffer) => (this.said += text.toString()));
    createInterface(this.process.stdout).on('line', (line) => {
      const outcome = JSON.parse(line) as Outcome;
      this.waiting.get(outcome.number)?.(outcome);
    });
    // Writing to a process that has ended fails; why it has is told by `gone`.
    this.process.stdin.on('error', () => undefined);
    this.process.once('close', () => {
      this.gone = { kind: 'gone', message: `Python has ended: ${this.said}` };
      for (const [number, settle] of this.waiting) settle({ number, failure: this.gone });
    });
  }

  open(options: object): number {
    const open = ++this.numbers;
    this.send({ open, ...options });
    return open;
  }

  do(what: object, { onText, signal }: Pick<Ask, 'onText' | 'signal'> = {}): Promise<any> {
    if (this.gone) return Promise.reject(new PythonError(this.gone));
    const number = ++this.numbers;
    const cancel = () => this.send({ cancel: number });
    return new Promise((resolve, reject) => {
      this.waiting.set(number, ({ text, value, failure }) => {
        if (text !== undefined) return onText?.(text);
        this.waiting.delete(number);
        signal?.removeEventListener('abort', cancel);
        if (failure) reject(new PythonError(failure));
        else resolve(value);
      });
      signal?.addEventListener('abort', cancel);
      this.send({ number, ...what });
    });
  }

  async leave(): Promise<void> {
    if (--this.users > 0) return;
    PythonProcess.current = undefined;
    if (this.gone) return;
    const closed = once(this.process, 'close');
    this.process.stdin.end();
    await closed;
  }

  private send(line: object): void {
    this.process.stdin.write(`${JSON.stringify(line)}\n`);
  }
}

class PythonClient implements Client {
  private readonly process = PythonProcess.join();
  private readonly client: number;

  constructor(options: { url: string; key: string; retries: number }) {
    this.client = this.process.open(options);
  }

  async create(ask: Ask): Promise<Answer> {
    return pythonAnswer(await this.do({ do: 'create', params: paramsOf(ask) }, ask));
  }

  async stream(ask: Ask): Promise<Answer> {
    return pythonAnswer(await this.do({ do: 'stream', params: paramsOf(ask) }, ask));
  }

  async loop(ask: Ask, { streamed }: { streamed: boolean }): Promise<{ answer: Answer; ran: Ran[] }> {
    const { tools: _, ...params } = paramsOf(ask);
    const value = await this.do({ do: 'loop', params, tools: ask.tools, streamed });
    return { answer: pythonAnswer(value), ran: value.ran };
  }

  structured(ask: Ask, schema: JsonObjectSchema, way: string): Promise<unknown> {
    return this.do({ do: 'structured', params: paramsOf(ask), schema, way });
  }

  async search(ask: Ask, { streamed }: { streamed: boolean }): Promise<Answer> {
    const { tools, ...extra_body } = SEARCH;
    return pythonAnswer(
      await this.do({ do: streamed ? 'stream' : 'create', params: { ...paramsOf(ask), tools, extra_body } }),
    );
  }

  countTokens(ask: Ask): Promise<number> {
    const { max_tokens: _, ...params } = paramsOf(ask);
    return this.do({ do: 'count_tokens', params });
  }

  models(): Promise<string[]> {
    return this.do({ do: 'models' });
  }

  model(id: string): Promise<string> {
    return this.do({ do: 'model', model: id });
  }

  close(): Promise<void> {
    return this.process.leave();
  }

  private do(what: object, ask?: Ask): Promise<any> {
    return this.process.do({ client: this.client, ...what }, ask);
  }
}

/** The answers stay with Python: a request only says which one it means. */
const pythonAnswer = ({ message }: { message: Anthropic.Message }): Answer => ({
  ...answerOf(message),
  replay: { answer: message.id },
});
