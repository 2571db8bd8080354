import type { Caller } from '@app/access';
import { InvalidRequestError, type Chunk, type ContextFilter } from '@app/contract';
import { Embedder } from '@app/models';
import { EmbedderMismatchError } from '../artifacts/artifact.errors';
import { ingestedDocument } from '../artifacts/ingested-document';
import { PassageStore, type Passage, type Scope } from '../artifacts/passage-store';
import { ChunkIndex, type IndexHit } from '../index/chunk-index';
import { analyseQuery } from './analyse-text';
import { citationMark } from './citation-mark';
import { fuse, type RankedList } from './fuse';
import { detectLanguage } from './language';

/** Hits of each kind that a fusion looks at, at least. */
const POOL = 60;
/** More revisions than this are not spelled out to the index; the hits are held against them instead. */
const MAX_SPELLED_OUT = 1000;
/** How deep a search goes to fill its limit when much of what it finds is not to be seen. */
const MAX_DEPTH = 10_000;
/** How often a search starts again because artifacts were replaced under it. */
const ATTEMPTS = 5;
/** Neighbours on each side with `expand`. */
const NEIGHBOURS = 2;
/** Where the score of a keyword search, which has no upper bound, comes to one half. */
const HALF_SCORE = 10;
/**
 * What vectors count for, beside words, by whether the embedder was made for the language of the query. Measured on
 * manuals with the local embedder, whose vectors alone find little (docs/benchmarks.md).
 */
const VECTOR_WEIGHT = { known: 0.5, unclear: 0.3, foreign: 0.1 };

export interface SearchRequest {
  readonly mode: 'semantic' | 'keyword' | 'hybrid';
  readonly query: string;
  /** Words to look for besides those of the query. */
  readonly keywords?: readonly string[];
  readonly filter: ContextFilter;
  readonly limit: number;
  /** Only passages that score as much. Default: all. */
  readonly scoreThreshold?: number;
  /** Fills `previous_texts` and `next_texts`. */
  readonly expand?: boolean;
}

interface Ranked {
  readonly chunk: string;
  readonly score: number;
}

/** What a search looks for, once the words are analysed and embedded. */
interface Probe {
  readonly vector?: Float32Array;
  readonly terms?: readonly string[];
  readonly vectorWeight: number;
}

/**
 * Finds passages in ingested artifacts (messages-api §15.1).
 *
 * The index proposes, the PassageStore decides: a hit counts only if it belongs to a live artifact in scope. Scores
 * are between 0 and 1: the cosine (semantic), a measure of the matching words (keyword), the fused rank (hybrid).
 */
export class Retriever {
  constructor(
    private readonly passages: PassageStore,
    private readonly index: ChunkIndex,
    private readonly embedder: Embedder,
  ) {}

  /**
   * Best first. A collection that is not there has nothing to be found.
   *
   * @throws ArtifactNotReadyError where the filter lists an artifact that cannot be searched.
   * @throws EmbedderMismatchError where vectors are needed and the collection has those of another embedder.
   */
  async search(caller: Caller, request: SearchRequest, signal?: AbortSignal): Promise<Chunk[]> {
    let scope = await this.passages.scope(caller, request.filter);
    const probe = scope && (await this.probe(request, scope, signal));
    if (!probe) return [];
    for (let attempt = 1; scope; attempt++) {
      signal?.throwIfAborted();
      const { found, changed } = await this.attempt(caller, request, scope, probe);
      if (!changed || attempt === ATTEMPTS) return found.map(chunk);
      scope = await this.passages.scope(caller, request.filter);
    }
    return [];
  }

  /**
   * Looks whether a filter can be used, without searching.
   * @throws ArtifactNotReadyError, InvalidRequestError
   */
  async check(caller: Caller, filter: ContextFilter): Promise<void> {
    await this.passages.scope(caller, filter);
  }

  /** Undefined: there is nothing to look for. */
  private async probe(request: SearchRequest, scope: Scope, signal?: AbortSignal): Promise<Probe | undefined> {
    const { mode, limit } = request;
    if (!Number.isInteger(limit) || limit < 1) throw new InvalidRequestError('The limit must be 1 or more.');
    const query = request.query.replaceAll('\0', ' ').toWellFormed().trim();
    const terms = mode === 'semantic' ? [] : analyseQuery([query, ...(request.keywords ?? [])].join('\n'));
    const wantsVector = mode !== 'keyword' && query !== '';
    if (!wantsVector && terms.length === 0) return undefined;
    if (!wantsVector) return { terms, vectorWeight: 0 };
    const embedder = { id: this.embedder.id, dimensions: await this.embedder.dimensions(signal) };
    if (embedder.id !== scope.embedder.id || embedder.dimensions !== scope.embedder.dimensions) {
      throw new EmbedderMismatchError(request.filter.collection, scope.embedder, embedder);
    }
    const [vector] = await this.embedder.embed([query], signal);
    return { vector, vectorWeight: this.vectorWeight(query), ...(mode === 'hybrid' && { terms }) };
  }

  private vectorWeight(query: string): number {
    const { languages } = this.embedder;
    if (languages.length === 0) return 1;
    const language = detectLanguage(query);
    if (!language) return VECTOR_WEIGHT.unclear;
    return languages.includes(language) ? VECTOR_WEIGHT.known : VECTOR_WEIGHT.foreign;
  }

  private async attempt(
    caller: Caller,
    request: SearchRequest,
    scope: Scope,
    probe: Probe,
  ): Promise<{ readonly found: Scored[]; readonly changed: boolean }> {
    const quick = await this.quickly(caller, request, scope, probe);
    if (quick) return { found: quick, changed: false };
    const { ranked, changed } = await this.rank(caller, scope, probe, request.limit);
    const wanted = best(ranked, request);
    const { passages } = await this.read(caller, scope, wanted, request);
    return { found: scored(passages, wanted), changed: changed || passages.length < wanted.length };
  }

  /**
   * Takes the word of the index for what is live, where nothing of the collection was on its way when the scope was
   * taken, and sees afterwards that it was still so: nearly always, and with half as many questions to the database.
   */
  private async quickly(
    caller: Caller,
    request: SearchRequest,
    scope: Scope,
    probe: Probe,
  ): Promise<Scored[] | undefined> {
    const { revisions, settled } = scope;
    if (!isSpelledOut(scope) || !(revisions || settled)) return undefined;
    const { near, matching } = await this.ask(scope, probe, depthFor(request.limit));
    const wanted = best(merge(probe, near, matching), request);
    if (wanted.length === 0) return undefined;
    const { passages, version } = await this.read(caller, scope, wanted, request);
    return version === scope.version && passages.length === wanted.length ? scored(passages, wanted) : undefined;
  }

  private read(caller: Caller, scope: Scope, wanted: readonly Ranked[], { expand = false }: SearchRequest) {
    const options = { neighbours: expand ? NEIGHBOURS : 0 };
    return this.passages.read(
      caller,
      scope.collection,
      wanted.map(({ chunk }) => chunk),
      options,
    );
  }

  /**
   * Asks the index for more until enough of it is live and in scope, or there is no more. `changed`: an artifact was
   * replaced or removed after the scope was taken, and the index was asked before it had the new one.
   */
  private async rank(
    caller: Caller,
    scope: Scope,
    probe: Probe,
    limit: number,
  ): Promise<{ readonly ranked: Ranked[]; readonly changed: boolean }> {
    const inScope = isSpelledOut(scope) ? undefined : new Set(scope.revisions);
    for (let depth = depthFor(limit); ; depth *= 4) {
      const { near, matching } = await this.ask(scope, probe, depth);
      const { live, changed } = await this.liveAmong(caller, scope, [...near, ...matching]);
      const seen = ({ chunk, revision }: IndexHit) => live.has(chunk) && (!inScope || inScope.has(revision));
      const [nearSeen, matchingSeen] = [near.filter(seen), matching.filter(seen)];
      const exhausted = near.length < depth && matching.length < depth;
      if (changed || exhausted || depth >= MAX_DEPTH || Math.max(nearSeen.length, matchingSeen.length) >= limit) {
        return { ranked: merge(probe, nearSeen, matchingSeen), changed };
      }
    }
  }

  private async ask(scope: Scope, { vector, terms }: Probe, limit: number) {
    const options = { limit, ...(isSpelledOut(scope) && scope.revisions && { revisions: scope.revisions }) };
    const [near, matching] = await Promise.all([
      vector ? this.index.nearest(scope.collection, vector, options) : [],
      terms?.length ? this.index.matching(scope.collection, terms, options) : [],
    ]);
    return { near, matching };
  }

  private async liveAmong(caller: Caller, { collection, version }: Scope, hits: readonly IndexHit[]) {
    const ids = new Set(hits.map(({ chunk }) => chunk));
    const { chunks: live, version: now, unpublished } = await this.passages.live(caller, collection, [...ids]);
    const replaced = now !== version && hits.some((hit) => !live.has(hit.chunk) && !unpublished.has(hit.revision));
    return { live, changed: replaced };
  }
}

interface Scored {
  readonly passage: Passage;
  readonly score: number;
}

const depthFor = (limit: number) => Math.max(POOL, 2 * limit);

const isSpelledOut = ({ revisions }: Scope) => !revisions || revisions.length <= MAX_SPELLED_OUT;

const best = (ranked: readonly Ranked[], { limit, scoreThreshold = 0 }: SearchRequest): Ranked[] =>
  ranked.slice(0, limit).filter(({ score }) => score >= scoreThreshold);

function scored(passages: readonly Passage[], wanted: readonly Ranked[]): Scored[] {
  const scores = new Map(wanted.map(({ chunk, score }) => [chunk, score]));
  return passages.map((passage) => ({ passage, score: scores.get(passage.id) as number }));
}

function merge(
  { vector, terms, vectorWeight }: Probe,
  near: readonly IndexHit[],
  matching: readonly IndexHit[],
): Ranked[] {
  if (!terms) return near.map(({ chunk, score }) => ({ chunk, score: within(score) }));
  if (!vector) return matching.map(({ chunk, score }) => ({ chunk, score: within(score / (score + HALF_SCORE)) }));
  const lists: RankedList[] = [
    { chunks: near.map(({ chunk }) => chunk), weight: vectorWeight },
    { chunks: matching.map(({ chunk }) => chunk), weight: 1 },
  ];
  return fuse(lists.filter(({ chunks }) => chunks.length > 0));
}

const within = (score: number) => Math.min(1, Math.max(0, score));

function chunk({ passage, score }: Scored): Chunk {
  const { id, headings, page, position, positionUnderHeading } = passage;
  return {
    object: 'context.chunk',
    id,
    score,
    document: ingestedDocument(passage.artifact),
    text: passage.text,
    content_type: 'text/plain',
    previous_texts: [...passage.before],
    next_texts: [...passage.after],
    metadata: {
      ...(headings.length > 0 && { title: headings.join(' › ') }),
      ...(page !== undefined && { page }),
      shorter_id: citationMark(id),
      abs_idx: position,
      rel_idx: positionUnderHeading,
    },
  };
}
