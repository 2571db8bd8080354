import type { Chunk, ResultContent, ToolContextKind, ToolContextOf, ToolSpec } from '@app/contract';
import type { Caller } from '@app/access';
import type { ChatModel, ChatUsage } from '@app/models';
import type { z } from 'zod';
import type { TurnScope } from './turn-scope';

/**
 * A tool that the server runs itself.
 *
 * What it depends on comes in through the function that makes it. It does not parse what the model wrote, look for
 * its context, limit its time or turn failures into results: `ToolBox` does, once for all tools.
 */
export interface ToolDefinition<Input extends z.ZodObject, Kind extends ToolContextKind> {
  /** The canonical name. A request writes it with any version: `semantic_search_v1`. */
  readonly name: string;
  /** Written for the model: when to use the tool, and what comes back. */
  readonly description: string;
  /** Checks the model's arguments, and tells the model their shape as JSON Schema. */
  readonly input: Input;
  /** The `tool_context` that the tool cannot work without, how many entries at most, and what to tell the caller. */
  readonly needs: ContextNeed<Kind> | null;
  /**
   * Looks at that context before the model runs, in `eager` mode only (messages-api §5.2).
   *
   * @throws PlatformError that refuses the request.
   */
  check?(run: ToolRun<Kind>): Promise<void>;
  /** @throws ToolError for what the model should know; anything else is logged, and told as far as it was foreseen. */
  execute(input: z.infer<Input>, run: ToolRun<Kind>): Promise<ResultContent[]>;
}

export interface ContextNeed<Kind extends ToolContextKind> {
  readonly kind: Kind;
  readonly otherwise: string;
  readonly atMostOne?: string;
}

export interface ToolRun<Kind extends ToolContextKind = ToolContextKind> {
  readonly caller: Caller;
  readonly context: readonly ToolContextOf<Kind>[];
  readonly signal: AbortSignal;
  /** Lasts as long as the request. */
  readonly turn: TurnScope;
  /** How the caller asked for the tool. */
  readonly spec: ToolSpec;
  /** The model of the request, for a tool that has something written. */
  readonly model: ChatModel;
  /** Counts what that took. */
  readonly spent: (usage: ChatUsage) => void;
  /** Where citations are wanted: the mark by which the answer may cite this passage. */
  readonly cite?: (chunk: Chunk) => string;
}

export type BuiltInTool = ToolDefinition<z.ZodObject, ToolContextKind>;

/** Ties `input` and `needs` to `execute` while a tool is written; forgets them once it is stored. */
export function defineTool<Input extends z.ZodObject, Kind extends ToolContextKind>(
  definition: ToolDefinition<Input, Kind>,
): BuiltInTool {
  return definition as unknown as BuiltInTool;
}

/** Thrown by a tool to tell the model what went wrong, so that it can try again. The request goes on. */
export class ToolError extends Error {}
