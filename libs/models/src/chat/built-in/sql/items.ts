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
      /** Its value is spoken of as such: "without a stock figure" is not "without stock". */
      readonly isValue?: boolean;
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
      /** The one of the rows' names that is said. */
      readonly name?: readonly string[];
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
      readonly name?: readonly string[];
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
    /** `mixed`: numbers in several units, by the column that says which. */
    readonly kind: 'word' | 'ambiguous' | 'pattern' | 'mixed',
    readonly word: string,
  ) {
    super(word);
  }
}

export const isOf = (item: Item | undefined, ...types: Item['t'][]): boolean =>
  item !== undefined && types.includes(item.t);

export const doesNotFit = (word = ''): NotUnderstood => new NotUnderstood('pattern', word);
