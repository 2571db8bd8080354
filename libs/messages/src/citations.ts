/**
 * Turns the marks that a model writes, `[GONG]`, into citations (messages-api §6.4).
 *
 * Event in, events out. Text that may be the start of a mark is held back until it is decided; a mark
 * that nothing was retrieved for leaves as it was written. A tag that the model writes itself, or repeats from a
 * document, is no citation: it leaves with its bracket escaped, so that no reader takes it for one (SEC-148).
 */
import type { Citation, Delta, StreamEvent } from '@app/contract';
import type { CitationBook } from './citation-book';

const MARK = /[[【]([A-Z0-9]{4})[\]】]/g;
const FORGED_TAG = /<(?=\/?citation)/gi;
/** The end of a text that may go on as a mark or as a tag. */
const UNDECIDED = /(?:[[【][A-Z0-9]{0,4}|<\/?[a-zA-Z]{0,7})$/;

export interface CitationStyle {
  /**
   * Whether the list stands beside the text. Anthropic clients know only their own types of citation and lose the
   * whole answer over any other (anthropic-compat §8); they get the inline tags alone.
   */
  readonly listed: boolean;
  /** Echoed in every tag. */
  readonly correlationId?: string;
}

type SpokenDelta = 'text_delta' | 'thinking_delta';

export class CitedEvents {
  private held = '';
  private spoken: SpokenDelta = 'text_delta';

  constructor(
    private readonly book: CitationBook,
    private readonly style: CitationStyle,
  ) {}

  async *of(events: AsyncIterable<StreamEvent>): AsyncGenerator<StreamEvent> {
    for await (const event of events) for (const each of this.hear(event)) yield each;
  }

  /** What becomes of one event. Of a delta: one, or none while its words are held back. */
  hear(event: StreamEvent): readonly StreamEvent[] {
    if (event.type === 'content_block_delta') {
      const { delta } = event;
      if (delta.type === 'text_delta' || delta.type === 'thinking_delta') {
        const said = this.held + (delta.type === 'text_delta' ? delta.text : delta.thinking);
        this.held = UNDECIDED.exec(said)?.[0] ?? '';
        const decided = said.slice(0, said.length - this.held.length);
        return decided === '' ? [] : [{ ...event, delta: cited(decided, delta.type, this.book, this.style) }];
      }
    } else if (event.type === 'content_block_start') {
      this.spoken = event.content_block.type === 'thinking' ? 'thinking_delta' : 'text_delta';
    }
    if (this.held === '' || (event.type !== 'content_block_delta' && event.type !== 'content_block_stop'))
      return [event];
    // Nothing more is said in this block: it is signed, or closed.
    const { index, block_id } = event;
    const delta = cited(this.held, this.spoken, this.book, this.style);
    this.held = '';
    return [{ type: 'content_block_delta', index, block_id, delta }, event];
  }
}

function cited(said: string, type: SpokenDelta, book: CitationBook, { listed, correlationId }: CitationStyle): Delta {
  const citations: Citation[] = [];
  const words = said.replace(FORGED_TAG, '&lt;').replace(MARK, (written, mark: string) => {
    const citation = book.citation(mark);
    if (!citation) return written;
    citations.push(citation);
    return tag(citation, correlationId);
  });
  if (type === 'thinking_delta') return { type, thinking: words };
  return listed && citations.length ? { type, text: words, citations } : { type, text: words };
}

function tag({ id, index, artifact_id, source_id }: Citation, correlationId?: string): string {
  const attributes = Object.entries({ id, index, artifact_id, source_id, correlation_id: correlationId })
    .filter(([, value]) => value != null)
    .map(([name, value]) => `${name}='${escaped(String(value))}'`);
  return `<citation ${attributes.join(' ')}></citation>`;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', "'": '&#39;' };
const escaped = (value: string) => value.replace(/[&<>']/g, (character) => ENTITIES[character]!);

/** The inline tags of an earlier answer, turned back into the marks that the model wrote. */
export const withMarks = (text: string): string =>
  text.includes('<citation ') ? text.replace(/<citation id='([A-Z0-9]{4})'[^<>]*><\/citation>/g, '[$1]') : text;
