/**
 * Which tables of a database matter for a question: by words, by vectors where there is an embedder, and by the foreign
 * keys that join what was found.
 */
import type { Embedder } from '@app/models';
import { Deadline, type Logger } from '@app/platform';
import type { Catalog, TableSample } from './catalog';
import type { NamedCatalog, NamedTable } from './describe-catalog';
import { JoinGraph } from './join-paths';
import { questionTerms } from './question-terms';
import { sampleEvidence } from './sample-evidence';
import { TableTerms, type Match } from './table-terms';
import { TableVectors } from './table-vectors';

/** So few are all told, in the order of the catalog. */
const FEW = 12;
/** With so few, words are enough to find the right ones. */
const FEW_FOR_WORDS = 40;
/** Tables at most that a model is told of for one question. */
const MOST = 40;
/** What a table must score of the best one's score to be told by itself. */
const SHARE_OF_BEST = 0.25;
/** Those between which ways are looked for, and keys on a way. */
const HEADS = 4;
const MOST_CHAMPIONS = 6;
const MOST_ALIKE = 6;
const MAX_STEPS = 4;
/** Neither a name, nor a value, nor a number. */
const ORDINARY = /^\p{Ll}{4,}$/u;
const VECTOR_WEIGHT = 0.3;
/** What a table is still worth whose rows were looked for and not found, and one whose name means another. */
const EMPTY = 0.6;
const SHADOWED = 0.85;
/** Vectors that take longer are there for a later question. */
const VECTORS_MS = 5000;
const ALL_VECTORS_MS = 120_000;

export interface Relevance {
  /** The most relevant first. */
  readonly tables: readonly NamedTable[];
  /** How many of them, from the first on, were found by themselves or lie between two that were. */
  readonly first: number;
}

interface Known {
  readonly terms: Promise<TableTerms>;
  readonly graph: JoinGraph;
  readonly shadowed: ReadonlySet<number>;
  vectors?: Promise<TableVectors | undefined>;
}

export class RelevantTables {
  /** As long as the catalog itself is kept. */
  private readonly known = new WeakMap<Catalog, Known>();

  constructor(
    private readonly embedder?: Embedder,
    private readonly log?: Pick<Logger, 'warn'>,
  ) {}

  /** @param samples of the tables that seem to matter: what their rows hold counts as well. */
  async choose(
    question: string,
    named: NamedCatalog,
    signal: AbortSignal,
    samples: readonly TableSample[] = [],
  ): Promise<Relevance> {
    const { tables } = named;
    if (tables.length <= FEW) return { tables, first: tables.length };
    const known = this.knownOf(named);
    const match = await this.match(question, named, known, signal);
    for (const { place, extra, isEmpty } of await sampleEvidence(question, named, samples)) {
      match.scores[place]! += extra;
      if (isEmpty) match.scores[place]! *= EMPTY;
    }
    const { order, first } = ordered(match, known.graph);
    return { tables: order.map((place) => tables[place]!), first };
  }

  private knownOf(named: NamedCatalog): Known {
    const before = this.known.get(named.catalog);
    if (before) return before;
    const terms = TableTerms.of(named.tables.map(({ table }) => table));
    const known: Known = { terms, graph: new JoinGraph(named), shadowed: shadowedIn(named) };
    this.known.set(named.catalog, known);
    return known;
  }

  /**
   * The scores are shares of the best one's. Vectors are asked where a word of the question meets no table; where all
   * do, nearness would only blur what the words say.
   */
  private async match(question: string, named: NamedCatalog, known: Known, signal: AbortSignal): Promise<Match> {
    const terms = await known.terms;
    const match = terms.match(questionTerms(question, terms));
    const best = highest(match.scores);
    const scores = match.scores.map((score, place) => (score / best) * (known.shadowed.has(place) ? SHADOWED : 1));
    if (match.unmet.some((word) => ORDINARY.test(word)) && named.tables.length > FEW_FOR_WORDS) {
      const nearness = await this.nearness(question, this.vectorsOf(named, known), signal);
      nearness?.forEach((near, place) => (scores[place]! += VECTOR_WEIGHT * near * near));
    }
    return { ...match, scores };
  }

  private vectorsOf(named: NamedCatalog, known: Known): Known['vectors'] {
    if (!this.embedder || known.vectors) return known.vectors;
    const tables = named.tables.map(({ table }) => table);
    // Not the request's signal: whoever asks next can use what was computed.
    known.vectors = TableVectors.of(tables, this.embedder, AbortSignal.timeout(ALL_VECTORS_MS));
    known.vectors.catch((error: unknown) => {
      known.vectors = undefined;
      this.log?.warn({ err: error }, 'The names of the tables have no vectors: they are found by words alone');
    });
    return known.vectors;
  }

  /** Undefined where there are no vectors, or none in time: words are an answer without them. */
  private async nearness(question: string, vectors: Known['vectors'], signal: AbortSignal) {
    if (!vectors) return undefined;
    const late = new Deadline(VECTORS_MS, signal);
    try {
      const ready = await unlessLate(vectors, late.signal);
      return await ready?.nearness(question, late.signal);
    } catch {
      signal.throwIfAborted();
      return undefined;
    } finally {
      late.end();
    }
  }
}

const highest = (scores: Float64Array) => scores.reduce((best, score) => Math.max(best, score), Number.EPSILON);

/** Tables whose name stands for another one, in a schema that is looked at before. */
function shadowedIn({ tables, catalog: { schemas } }: NamedCatalog): ReadonlySet<number> {
  const ranks = new Map(schemas.map((schema, rank) => [schema, rank]));
  const first = new Map<string, number>();
  const rankOf = ({ table }: NamedTable) => ranks.get(table.schema) ?? schemas.length;
  for (const one of tables) first.set(one.table.name, Math.min(first.get(one.table.name) ?? Infinity, rankOf(one)));
  return new Set([...tables.keys()].filter((place) => rankOf(tables[place]!) > first.get(tables[place]!.table.name)!));
}

/** Those found, the ways between them, what they refer to; then the others that met a word, and what refers to them. */
function ordered({ scores, champions, likeness }: Match, graph: JoinGraph): { order: number[]; first: number } {
  const ranked = [...scores.keys()].sort((one, other) => scores[other]! - scores[one]! || one - other);
  const best = scores[ranked[0]!]!;
  const found = ranked.filter((place) => scores[place]! > 0 && scores[place]! >= SHARE_OF_BEST * best);
  const seeds = withoutTheMany(found, likeness);
  const heads = byScore([...new Set([...seeds.slice(0, HEADS), ...champions.slice(0, MOST_CHAMPIONS)])], scores);
  const order = new Set(heads);
  heads.forEach((from, i) => {
    for (const to of heads.slice(i + 1)) graph.between(from, to, MAX_STEPS, scores)?.forEach((at) => order.add(at));
  });
  for (const place of heads) byScore(graph.outgoing[place]!, scores).forEach((at) => order.add(at));
  const first = order.size;
  seeds.forEach((place) => order.add(place));
  for (const place of heads)
    byScore(graph.incoming[place]!, scores)
      .slice(0, 4)
      .forEach((at) => order.add(at));
  // Of a question whose words meet nothing, the tables that most others hang on are the best guess.
  if (order.size < FEW) {
    const linked = [...scores.keys()].sort((one, other) => degree(graph, other) - degree(graph, one) || one - other);
    for (const place of linked) if (order.size < FEW) order.add(place);
  }
  return { order: [...order].slice(0, MOST), first: Math.min(first, MOST) };
}

/** Of tables whose names meet the same words, the first few: copies by tenant, module or month say no more. */
function withoutTheMany(places: readonly number[], likeness: readonly string[]): number[] {
  const counts = new Map<string, number>();
  return places.filter((place) => {
    const count = (counts.get(likeness[place]!) ?? 0) + 1;
    counts.set(likeness[place]!, count);
    return count <= MOST_ALIKE;
  });
}

const byScore = (places: readonly number[], scores: Float64Array) =>
  [...places].sort((one, other) => scores[other]! - scores[one]! || one - other);

const degree = ({ outgoing, incoming }: JoinGraph, place: number) => outgoing[place]!.length + incoming[place]!.length;

function unlessLate<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const late = () => reject(signal.reason as Error);
    if (signal.aborted) return late();
    signal.addEventListener('abort', late, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', late));
  });
}
