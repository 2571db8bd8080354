import type { Citation } from '@app/contract';

const TAG = /<citation\b([^>]*)><\/citation>/g;
const TAG_START = '<citation';

/** A text that begins like a tag and goes on for so long without ending one is only a text. */
const LONGEST_TAG = 2000;

/**
 * Turns the inline tags of a streamed text (messages-api §6.4) into `[1]`, `[2]`, wherever the pieces are cut.
 *
 * Remembers what was cited, by number.
 */
export class CitationMarks {
  readonly cited = new Map<number, Pick<Citation, 'artifact_id' | 'source_id'>>();
  private held = '';

  /** What may be shown by now. */
  push(text: string): string {
    const whole = this.replaceTags(this.held + text);
    const cut = startOfUnfinishedTag(whole);
    this.held = whole.slice(cut);
    return whole.slice(0, cut) + (this.held.length > LONGEST_TAG ? this.end() : '');
  }

  /** What was held back; the text is over. */
  end(): string {
    const rest = this.held;
    this.held = '';
    return rest;
  }

  private replaceTags(text: string): string {
    return text.replace(TAG, (_tag, attributes: string) => {
      const { index, artifact_id, source_id } = Object.fromEntries(
        [...attributes.matchAll(/(\w+)='([^']*)'/g)].map(([, name, value]) => [name, value]),
      ) as Record<string, string | undefined>;
      const number = Number(index) + 1;
      this.cited.set(number, { artifact_id: artifact_id ?? null, source_id: source_id ?? null });
      return `[${number}]`;
    });
  }
}

function startOfUnfinishedTag(text: string): number {
  const open = text.indexOf(TAG_START);
  if (open !== -1) return open;
  const last = text.lastIndexOf('<');
  return last !== -1 && TAG_START.startsWith(text.slice(last)) ? last : text.length;
}
