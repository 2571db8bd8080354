/**
 * Which model server there is when the server starts (architecture §5): the configured one, else the first of the
 * usual ones that answers on loopback, else none, and the built-in model answers.
 */
import { endpointPool, type Config } from '@app/platform';
import { listedModels } from './openai-compatible/listed-models';

export interface FoundModelServer {
  readonly baseUrl: string;
  /** What it is, for people: `Ollama`; absent for the configured one. */
  readonly product?: string;
}

/** Where the usual local servers listen, best known first. */
export const LOCAL_SERVERS = [
  { product: 'Ollama', port: 11434 },
  { product: 'LM Studio', port: 1234 },
  { product: 'llama.cpp', port: 8080 },
  { product: 'vLLM', port: 8000 },
] as const;

const PROBE_MS = 300;
const MAX_LIST_BYTES = 1024 * 1024;

/**
 * The model server to use, or undefined for none. Takes at most 300 ms: all are probed at once, and the first of
 * `candidates` that lists a model wins. Our own port is never asked.
 */
export async function findModelServer(
  { model, http }: Pick<Config, 'model' | 'http'>,
  candidates: readonly { readonly product: string; readonly port: number }[] = LOCAL_SERVERS,
): Promise<FoundModelServer | undefined> {
  if (model.baseUrl !== undefined) return { baseUrl: model.baseUrl };
  if (!model.discovery) return undefined;
  const probes = candidates
    .filter(({ port }) => port !== http.port)
    .map(async ({ product, port }) => {
      const baseUrl = `http://127.0.0.1:${port}/v1`;
      return (await listsModels(baseUrl)) ? { baseUrl, product } : undefined;
    });
  return (await Promise.all(probes)).find((found) => found !== undefined);
}

async function listsModels(baseUrl: string): Promise<boolean> {
  const pool = endpointPool(baseUrl, { connectMs: PROBE_MS, idleMs: PROBE_MS, maxConnections: 1 });
  try {
    const signal = AbortSignal.timeout(PROBE_MS);
    const { statusCode, body } = await pool.request({ method: 'GET', path: '/models', signal });
    const parts: Buffer[] = [];
    let bytes = 0;
    for await (const part of body as AsyncIterable<Buffer>) {
      parts.push(part);
      bytes += part.length;
      if (bytes > MAX_LIST_BYTES) return false;
    }
    if (statusCode !== 200) return false;
    const models = listedModels(JSON.parse(Buffer.concat(parts).toString('utf8')));
    // Another server of this product lists the built-in model too, and would only ask us back.
    return models.length > 0 && !models.some(({ ownedBy }) => ownedBy === 'toolwright');
  } catch {
    return false;
  } finally {
    await pool.close();
  }
}
