/** One promise of the documents, and the three weights that it can have. */
export interface Requirement {
  /** How tests cite it in their titles: `§stop-sequence`. */
  readonly id: string;
  /** Where it stands: `messages-api §5.2`. */
  readonly section: string;
  readonly level: 'must' | 'should' | 'may';
  /** In words of ours. */
  readonly sentence: string;
  /** Why it does not hold yet. A gap is cited by an `it.failing`, which fails once the promise holds. */
  readonly gap?: string;
}

const weighing =
  (level: Requirement['level']) =>
  (id: string, section: string, sentence: string): Requirement => ({ id, section, level, sentence });

/** Some client breaks, or loses data in silence, otherwise. */
export const must = weighing('must');
/** A worse experience otherwise. */
export const should = weighing('should');
/** Free to us, and done. */
export const may = weighing('may');

export const gap = (requirement: Requirement, reason: string): Requirement => ({ ...requirement, gap: reason });
