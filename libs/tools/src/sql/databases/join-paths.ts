/** How tables hang together by their foreign keys, whichever way these point. Tables are their places in the catalog. */
import type { NamedCatalog } from './describe-catalog';

export class JoinGraph {
  /** What a table refers to, and what refers to it. */
  readonly outgoing: readonly (readonly number[])[];
  readonly incoming: readonly (readonly number[])[];

  constructor(named: NamedCatalog) {
    const places = new Map(named.tables.map((one, place) => [one, place]));
    const outgoing = named.tables.map(({ table }) =>
      unique(
        table.foreignKeys.flatMap((key) => {
          const target = named.find({ schema: key.schema, name: key.table });
          return target ? [places.get(target)!] : [];
        }),
      ),
    );
    const incoming = outgoing.map((): number[] => []);
    outgoing.forEach((targets, from) => targets.forEach((to) => incoming[to]!.push(from)));
    this.outgoing = outgoing;
    this.incoming = incoming;
  }

  /**
   * The tables between two, on the shortest way of at most `maxSteps` keys; of several ways, the one whose tables score
   * best. Undefined where there is none.
   */
  between(from: number, to: number, maxSteps: number, scores: ArrayLike<number>): number[] | undefined {
    const previous = new Map<number, number>([[from, -1]]);
    let edge = [from];
    for (let step = 0; step < maxSteps && edge.length > 0 && !previous.has(to); step++) {
      const next: number[] = [];
      for (const at of [...edge].sort((one, other) => scores[other]! - scores[one]! || one - other)) {
        for (const neighbour of [...this.outgoing[at]!, ...this.incoming[at]!]) {
          if (previous.has(neighbour)) continue;
          previous.set(neighbour, at);
          next.push(neighbour);
        }
      }
      edge = next;
    }
    if (!previous.has(to)) return undefined;
    const path: number[] = [];
    for (let at = previous.get(to)!; at !== from && at !== -1; at = previous.get(at)!) path.unshift(at);
    return path;
  }
}

const unique = (places: readonly number[]) => [...new Set(places)];
