/**
 * An answer that is one JSON document of the caller's schema (messages-api §3.5).
 *
 * The document is held back until it is whole and has been checked; a model server's native mode is no proof. A model
 * that misses is asked once more. What is said beside tool calls is no document, and is dropped.
 */
import { PlatformError, type MessagesRequest } from '@app/contract';
import type { ChatPart } from '@app/models';
import { abortSignalOf, type StopSignal } from '@app/platform';
import type { SchemaCheck } from '@app/tools';

type JsonSchema = Record<string, unknown>;

/** The schema that a request wants its answer to have, by whichever of the three fields names it. */
export function wantedSchema({ output_config, output_format, response_format }: MessagesRequest) {
  const format = [output_config?.format, output_format, response_format].find((given) => given?.type === 'json_schema');
  return format?.schema ?? format?.json_schema ?? undefined;
}

/** For a model without a native mode. */
export const inSchema = (schema: JsonSchema): string =>
  'Answer with one JSON document and nothing else, without a code fence. ' +
  `It must fit this JSON Schema: ${JSON.stringify(schema)}`;

export class StructuredAnswer {
  private missed: { readonly instead: string; readonly problem: string } | undefined;
  private asked = 0;

  constructor(
    private readonly schema: JsonSchema,
    private readonly check: Pick<SchemaCheck, 'check'>,
    private readonly options: { readonly signal: StopSignal; readonly hasTools: boolean },
  ) {}

  /**
   * The parts of a model call, with the checked document as its only text.
   *
   * @throws PlatformError `api_error` when it could not be checked: nobody is to take it for one that was.
   */
  async *watch(parts: AsyncIterable<ChatPart>): AsyncGenerator<ChatPart> {
    let text = '';
    let called = false;
    this.missed = undefined;
    for await (const part of parts) {
      if (part.type === 'text') {
        text += part.text;
        continue;
      }
      // Where no tool is offered no call comes of it, and the document is still owed.
      if (part.type === 'tool_call_start' || part.type === 'tool_call') called = this.options.hasTools;
      if (part.type === 'finish' && !called) {
        const document = withoutFence(text);
        // Cut by a limit: half a document is for the caller to see, with the reason.
        const isCut = part.reason === 'length' || part.reason === 'content_filter' || part.stopSequence !== undefined;
        const problem = isCut ? undefined : await this.problemOf(document);
        if (problem !== undefined) this.missed = { instead: text, problem };
        else if (document) yield { type: 'text', text: document };
      }
      yield part;
    }
  }

  /**
   * What to tell a model that has missed, and what it said; undefined when it may go on.
   *
   * @throws PlatformError `api_error` when it was told before.
   */
  reminder(): { readonly instead: string; readonly sentence: string } | undefined {
    if (!this.missed) return undefined;
    const { instead, problem } = this.missed;
    if (this.asked++ > 0) {
      throw new PlatformError('api_error', `The model did not answer with a JSON document that fits: ${problem}`);
    }
    return {
      instead,
      sentence: `That is not the JSON document that was asked for: ${problem} Answer again with the document alone.`,
    };
  }

  private async problemOf(document: string): Promise<string | undefined> {
    let value: unknown;
    try {
      value = JSON.parse(document);
    } catch {
      return 'it is not JSON.';
    }
    const { problems, unchecked } = await this.check.check(this.schema, value, abortSignalOf(this.options.signal));
    if (unchecked !== undefined) {
      throw new PlatformError(
        'api_error',
        `The model's JSON document could not be held against its schema: ${unchecked}`,
      );
    }
    return problems.length > 0 ? `${problems.join('; ')}.` : undefined;
  }
}

/** Models that have no native mode like to set JSON in a fence. */
const withoutFence = (text: string): string =>
  /^\s*```(?:json)?\s*\n([\s\S]*?)\n?\s*```\s*$/i.exec(text)?.[1]?.trim() ?? text.trim();
