/** Reads an answer, whole or as it streams: its text with numbered marks, and where each mark leads. */
import type { Chunk, Message, OutputBlock, StreamEvent, Website } from '@app/contract';
import { CitationMarks } from './citation-marks';

export interface CitedSource {
  /** As in the text: `[1]`. */
  readonly number: number;
  /** The path in the folder it came from, else its file name, else the artifact. */
  readonly file: string;
  /** `page 2, Leave › Annual leave`; empty for a text that has neither. */
  readonly place: string;
}

export class Answer {
  /** What was said so far, with marks `[1]`. */
  text = '';
  stopReason?: string;
  model?: string;
  /** The tools that were called, in order. */
  readonly calls: string[] = [];
  private readonly marks = new CitationMarks();
  private readonly chunks = new Map<string, Chunk>();

  /** Takes the next event of a stream. Returns the text that it adds, which may be empty. */
  read(event: StreamEvent): string {
    switch (event.type) {
      case 'message_start':
        this.model = event.message.model;
        return '';
      case 'content_block_start':
        return this.begin(event.content_block);
      case 'content_block_delta':
        return event.delta.type === 'text_delta' ? this.say(this.marks.push(event.delta.text)) : '';
      case 'content_block_stop':
        return this.say(this.marks.end());
      case 'message_delta':
        this.stopReason = event.delta.stop_reason;
        return '';
      default:
        return '';
    }
  }

  static of({ content, model, stop_reason }: Message): Answer {
    const answer = new Answer();
    for (const block of content) {
      answer.begin(block);
      answer.say(answer.marks.end());
    }
    answer.model = model;
    answer.stopReason = stop_reason;
    return answer;
  }

  /** What the text cites, in order of its numbers. */
  get sources(): CitedSource[] {
    return [...this.marks.cited]
      .sort(([one], [other]) => one - other)
      .map(([number, { artifact_id, source_id }]) => {
        const chunk = this.chunks.get(source_id ?? '');
        return { number, file: fileOf(chunk) ?? artifact_id ?? '', place: placeOf(chunk) };
      });
  }

  private begin(block: OutputBlock): string {
    if (block.type === 'tool_use') this.calls.push(block.name);
    if (block.type === 'tool_result') {
      for (const part of block.content) if (part.type === 'source') this.remember(part.sources);
    }
    if (block.type === 'source') this.remember(block.sources);
    if (block.type !== 'text') return '';
    return this.say((this.text ? '\n\n' : '') + this.marks.push(block.text));
  }

  private remember(sources: readonly (Chunk | Website)[]): void {
    for (const source of sources) if (source.object === 'context.chunk') this.chunks.set(source.id, source);
  }

  private say(text: string): string {
    const shown = printable(text);
    this.text += shown;
    return shown;
  }
}

function fileOf(chunk: Chunk | undefined): string | undefined {
  const { path, file_name } = chunk?.document.doc_metadata ?? {};
  return [path, file_name].filter((name) => typeof name === 'string').map(printable)[0];
}

function placeOf(chunk: Chunk | undefined): string {
  const { page, title } = chunk?.metadata ?? {};
  return [page !== undefined && `page ${page}`, title && printable(title)].filter(Boolean).join(', ');
}

/** Without control characters: what a document says must not steer the reader's terminal. */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');
}
