/** What the words of a question are, one after the other. */
import type { Column, Value } from './described-table';
import type { Meaning } from './lexicon';
import type { Source } from './scope';
import type { TimeSpan } from './time-spans';

export type Item =
  | Exclude<Meaning, { t: 'nothing' | 'implied' }>
  | {
      readonly t: 'column';
      readonly column: Column;
      readonly isPart: boolean;
      readonly isSynonym: boolean;
      /** As the total of something: `total_amount`. */
      readonly isTotal?: boolean;
      /** By its opposite: "unpaid". */
      readonly isNegated?: boolean;
      /** Named later in so many words, it is dropped. */
      readonly isImplied?: boolean;
      /** Behind "have" or "with". */
      readonly isHad?: 'have' | 'with';
      /** A verb that says which date is meant, and asks for nothing. */
      readonly isVerb?: boolean;
    }
  | {
      readonly t: 'value';
      readonly values: readonly Value[];
      /** What was said, where it is the value in another language only. */
      readonly said?: string;
    }
  /** The rows of the scope. */
  | {
      readonly t: 'noun';
      readonly source: Source;
      /** In words. */
      readonly length: number;
      readonly isPart: boolean;
      readonly isSynonym: boolean;
      readonly isOne: boolean;
    }
  /** Rows of another table, one of which belongs to each. */
  | {
      readonly t: 'entity';
      /** Behind "have" or "with". */
      readonly isHad?: 'have' | 'with';
      readonly source: Source;
      readonly length: number;
      readonly isPart: boolean;
      readonly isSynonym: boolean;
      readonly isOne: boolean;
    }
  | { readonly t: 'number'; readonly value: number; readonly percent: boolean; readonly raw: string }
  | { readonly t: 'time'; readonly span: TimeSpan }
  | { readonly t: 'quoted'; readonly text: string };

/** What some words mean: nothing of their own, where there is no item. */
export interface Read {
  readonly item?: Item;
  readonly length: number;
}

export type ItemOf<T extends Item['t']> = Extract<Item, { t: T }>;

/** Why a question is not answered. */
export class NotUnderstood extends Error {
  constructor(
    readonly kind: 'word' | 'ambiguous' | 'pattern',
    readonly word: string,
  ) {
    super(word);
  }
}

export const isOf = (item: Item | undefined, ...types: Item['t'][]): boolean =>
  item !== undefined && types.includes(item.t);

export const doesNotFit = (word = ''): NotUnderstood => new NotUnderstood('pattern', word);
