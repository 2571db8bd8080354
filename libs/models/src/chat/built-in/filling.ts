/** A filling in progress: which arguments have a value, which parts of the message are spoken for. */
import { isCue, type Argument } from './argument-roles';
import type { ReadMessage, Reading } from './readings';

/** What one filling knows: the message, and which of its parts are spoken for. */
export class Filling {
  readonly values = new Map<string, unknown>();
  private readonly claimed: { readonly start: number; readonly end: number }[] = [];

  constructor(readonly message: ReadMessage) {}

  isFree({ start, end }: { start: number; end: number }): boolean {
    return this.claimed.every((other) => start >= other.end || end <= other.start);
  }

  has(argument: Argument): boolean {
    return this.values.has(argument.leaf.key);
  }

  give(argument: Argument, value: unknown, part?: { start: number; end: number }): void {
    this.values.set(argument.leaf.key, value);
    if (part) this.claimed.push(part);
  }
}

/** The number that a reading is for an argument, inside its bounds; undefined when it is none. */
export function numberFor({ leaf: { schema, type } }: Argument, reading: Reading): number | undefined {
  const { value } = reading;
  if (typeof value !== 'number') return undefined;
  const bound = (name: string) => (typeof schema[name] === 'number' ? schema[name] : undefined);
  const fits =
    (type !== 'integer' || Number.isSafeInteger(value)) &&
    value >= (bound('minimum') ?? -Infinity) &&
    value <= (bound('maximum') ?? Infinity) &&
    value > (bound('exclusiveMinimum') ?? -Infinity) &&
    value < (bound('exclusiveMaximum') ?? Infinity);
  return fits ? value : undefined;
}

/**
 * Shares readings out among arguments: the pair whose words stand closest first. A reading without any cue goes, in
 * order, to an argument that is required or the only one that could take it.
 */
export function share(
  takers: readonly Argument[],
  readings: readonly Reading[],
  filling: Filling,
  valueOf: (argument: Argument, reading: Reading) => unknown,
  { needsCue = false }: { needsCue?: boolean } = {},
): void {
  const pairs = takers.flatMap((argument, order) =>
    readings
      .slice(0, 60)
      .map((reading) => ({ argument, reading, order, score: nearness(argument, reading, filling.message) })),
  );
  const byScore = [...pairs].sort(
    (a, b) => b.score - a.score || a.order - b.order || a.reading.start - b.reading.start,
  );
  for (const { argument, reading, score } of byScore) {
    if (filling.has(argument) || !filling.isFree(reading)) continue;
    const last = takers.length === 1 && argument.role !== 'free';
    if (score <= 0 && (needsCue || !(argument.leaf.required || last))) continue;
    const value = valueOf(argument, reading);
    if (value !== undefined) filling.give(argument, value, reading);
  }
}

const START =
  /^(start|begin|from|since|departure|checkin|check|inicio|desde|origen|entrada|salida|min|minimum|minimo)$/;
const END = /^(end|to|until|till|return|checkout|out|fin|hasta|vuelta|destino|max|maximum|maximo|by)$/;

/** How clearly the words around a reading announce the argument: 0 when they do not. */
export function nearness(
  { cues, label }: Argument,
  reading: Reading,
  { tokens, readings, text, language }: ReadMessage,
): number {
  const first = tokens.findIndex((token) => token.end > reading.start);
  if (first < 0) return 0;
  const after = tokens.findIndex((token) => token.start >= reading.end);
  let score = 0;
  const look = (from: number, step: 1 | -1, reach: number, factor: number) => {
    for (let i = from, distance = 0; distance < reach && i >= 0 && i < tokens.length; i += step, distance++) {
      const token = tokens[i];
      const between =
        step < 0
          ? text.slice(token.end, tokens[i + 1]?.start ?? token.end)
          : text.slice(tokens[i - 1]?.end ?? 0, token.start);
      if (distance > 0 && /[,;.!?\n]/.test(between)) break;
      if (step > 0 && distance === 0 && /[,;.!?\n]/.test(between)) break;
      if (/^(and|y|e)$/.test(token.word)) break;
      if (
        readings.some(
          ({ kind, start, end }) => kind !== 'name' && kind !== 'quoted' && token.start >= start && token.end <= end,
        )
      )
        break;
      const strength = Math.max(
        0,
        ...cues.filter((cue) => isCue(cue, token.word, language)).map((cue) => cue.strength),
      );
      score = Math.max(score, strength * factor * (3 - 0.4 * distance));
      if (distance === 0 && step < 0) {
        if (label.some((word) => START.test(word)) && /^(from|desde|del?|since|between|entre)$/.test(token.word))
          score += 1;
        if (label.some((word) => END.test(word)) && /^(to|until|till|hasta|al?|by)$/.test(token.word)) score += 1;
      }
    }
  };
  look(first - 1, -1, 5, 1);
  if (after >= 0) look(after, 1, 3, 0.8);
  const beside = text.slice(Math.max(0, reading.start - 2), reading.end + 2);
  if (reading.kind === 'number' && /[€$£]/.test(beside)) {
    const isMoney = cues.some(
      (cue) =>
        (cue.strength >= 0.5 && ['eur', 'price', 'amount', 'cost', 'pay'].some((word) => isCue(cue, word, 'en'))) ||
        /budget|presupuesto/.test(label.join(' ')),
    );
    if (isMoney) score += 2;
  }
  return score;
}
