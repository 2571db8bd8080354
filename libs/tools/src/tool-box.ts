/**
 * The tools of one request: which the model may call, who runs each, and one way to run them.
 *
 * Everything is fixed here before the model runs (SEC-145): tools, contexts and scope come from the request, and
 * nothing that is read later adds to them.
 */
import type { AuditTrail, Caller, ToolCallRecord } from '@app/access';
import {
  newServerToolUseId,
  text,
  type Chunk,
  type OutputBlockOf,
  type ResultContent,
  type ToolChoice,
  type ToolSpec,
} from '@app/contract';
import type { ChatModel, ChatUsage, ToolDeclaration, ToolForcing } from '@app/models';
import { z } from 'zod';
import { audited, bytesOf, NOT_OFFERED, verdictOn } from './audited-call';
import { isDatedType } from './custom/anthropic-client-tools';
import { coerceArguments } from './custom/coerce-arguments';
import type { SchemaCheck } from './custom/schema-check';
import { writtenJson } from './custom/written-json';
import { failureOf } from './failure';
import { ToolError, type BuiltInTool, type ToolRun } from './tool';
import type { TurnScope } from './turn-scope';

/** A call as the model wrote it, with the id under which it leaves the server. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: Record<string, unknown>;
  /** What is wrong with the arguments, where the caller runs the tool and they do not fit its schema. */
  readonly problem?: string;
  /** Why it is not known whether they do. */
  readonly unchecked?: string;
}

export type ToolResult = OutputBlockOf<'tool_result'>;

/** A tool that the caller runs. */
export interface CustomTool {
  readonly declaration: ToolDeclaration;
}

/** A tool that the server runs, under the caller's name for it, with its context. */
export interface OfferedBuiltIn {
  readonly declaration: ToolDeclaration;
  readonly tool: BuiltInTool;
  readonly context: ToolRun['context'];
  readonly spec: ToolSpec;
}

export interface ToolBoxOptions {
  readonly caller: Caller;
  readonly tools: readonly (CustomTool | OfferedBuiltIn)[];
  readonly choice: ToolChoice;
  readonly turn: TurnScope;
  readonly schemas: Pick<SchemaCheck, 'check'>;
  /** Answers the request; a tool may have it write something. */
  readonly model: ChatModel;
  readonly audit: Pick<AuditTrail, 'record'>;
  /** Told of what a tool threw and did not mean for the model. */
  readonly onFailure: (tool: string, error: unknown) => void;
}

export class ToolBox {
  readonly declarations: readonly ToolDeclaration[];
  /** What the first model turn must do; later ones are free. */
  readonly firstForcing: ToolForcing;
  readonly parallel: boolean;
  private readonly tools: ReadonlyMap<string, CustomTool | OfferedBuiltIn>;
  private unaccounted: ChatUsage[] = [];

  constructor(private readonly options: ToolBoxOptions) {
    const { tools, choice } = options;
    this.declarations = tools.map(({ declaration }) => declaration);
    this.tools = new Map(tools.map((tool) => [tool.declaration.name, tool]));
    this.parallel = !choice.disable_parallel_tool_use;
    const [only] = this.declarations;
    this.firstForcing =
      choice.type === 'tool' && only ? { type: 'tool', name: only.name } : forcing(choice, tools.length);
  }

  /** Whether the caller runs this tool. A name that was never offered is nobody's. */
  isCallers(name: string): boolean {
    const tool = this.tools.get(name);
    return tool !== undefined && !('tool' in tool);
  }

  /** Whether an Anthropic client asked for this tool by its dated type, and waits for blocks of that type. */
  isDated(name: string): boolean {
    const tool = this.tools.get(name);
    return tool !== undefined && 'tool' in tool && isDatedType(tool.spec.type ?? '');
  }

  /**
   * The looks at contexts that `eager` mode wants before the model runs. What they refuse is in the audit, as it would be
   * where a call had run into it.
   */
  async check(signal: AbortSignal): Promise<void> {
    for (const offered of this.tools.values()) {
      if (!('tool' in offered) || !offered.tool.check) continue;
      const began = performance.now();
      try {
        await offered.tool.check(this.runOf(offered, signal));
      } catch (error) {
        await this.record(audited(offered.tool), began, { ...verdictOn(error, signal.aborted), bytes: 0 });
        throw error;
      }
    }
  }

  /**
   * The arguments that the model wrote, as an object that fits the tool's schema as far as it can be made to
   * (messages-api §5.5); undefined where the text is no JSON object, or one beyond the limits of SEC-95.
   */
  arguments(name: string, json: string): Record<string, unknown> | undefined {
    const parsed = parseObject(json);
    const schema = this.tools.get(name)?.declaration.inputSchema;
    return parsed && schema ? coerceArguments(parsed, schema) : parsed;
  }

  /** What is to be said of arguments for one of the caller's tools; nothing where they fit. */
  async findings(call: ToolCall, signal: AbortSignal): Promise<Pick<ToolCall, 'problem' | 'unchecked'>> {
    const tool = this.tools.get(call.name);
    if (!tool || 'tool' in tool) return {};
    const { schemas } = this.options;
    const { problems, unchecked } = await schemas.check(tool.declaration.inputSchema, call.input, signal);
    return { unchecked, problem: problems.length > 0 ? problems.join('; ') : undefined };
  }

  /** Runs one of the server's tools. Never rejects: whatever goes wrong is the result, unless the caller is gone. */
  async run(call: ToolCall, signal: AbortSignal, cite?: (chunk: Chunk) => string): Promise<ToolResult> {
    const offered = this.tools.get(call.name);
    if (!offered || !('tool' in offered)) return this.refuse(call, `Tool '${call.name}' not found.`);
    const began = performance.now();
    try {
      const input = checked(offered.tool, call.input);
      const content = await offered.tool.execute(input, { ...this.runOf(offered, signal), cite });
      await this.record(audited(offered.tool), began, { verdict: 'allowed', bytes: bytesOf(content) });
      return resultOf(call, content, false);
    } catch (error) {
      const content = [text(this.inWords(call.name, error, signal))];
      const outcome = verdictOn(error, signal.aborted);
      await this.record(audited(offered.tool), began, { ...outcome, bytes: bytesOf(content) });
      return resultOf(call, content, true);
    }
  }

  /** The result of a call that is not run, and why. */
  async refuse(call: ToolCall, why: string): Promise<ToolResult> {
    const offered = this.tools.get(call.name);
    const content = [text(why)];
    const outcome = { ...verdictOn(new Error(why), false), verdict: 'refused', bytes: bytesOf(content) } as const;
    await this.record(offered && 'tool' in offered ? audited(offered.tool) : NOT_OFFERED, performance.now(), outcome);
    return resultOf(call, content, true);
  }

  private record(
    what: Pick<ToolCallRecord, 'tool' | 'target'>,
    began: number,
    outcome: Pick<ToolCallRecord, 'verdict' | 'token' | 'bytes'>,
  ): Promise<void> | undefined {
    return this.options.audit.record(this.options.caller, { ...what, ...outcome, ms: performance.now() - began });
  }

  private runOf({ context, spec }: OfferedBuiltIn, signal: AbortSignal): ToolRun {
    const { caller, model, turn } = this.options;
    return { caller, context, spec, turn, signal, model, spent: (usage) => this.unaccounted.push(usage) };
  }

  /** What the model calls of tools took, each told once. */
  takeUsage(): ChatUsage[] {
    const usage = this.unaccounted;
    this.unaccounted = [];
    return usage;
  }

  private inWords(tool: string, error: unknown, signal: AbortSignal): string {
    const { words, isOurs } = failureOf(error);
    if (isOurs && !signal.aborted) this.options.onFailure(tool, error);
    return words;
  }
}

function forcing(choice: ToolChoice, offered: number): ToolForcing {
  if (offered === 0 || choice.type === 'none') return { type: 'none' };
  return { type: choice.type === 'any' ? 'any' : 'auto' };
}

/** Null arguments are left out, then the tool's own schema decides. */
function checked(tool: BuiltInTool, input: Record<string, unknown>): Record<string, unknown> {
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
  const parsed = tool.input.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new ToolError(`invalid_tool_arguments: ${z.prettifyError(parsed.error)}`);
}

const resultOf = (call: ToolCall, content: ResultContent[], isError: boolean): ToolResult => ({
  type: 'tool_result',
  tool_use_id: call.id,
  content,
  is_error: isError,
});

/** Arguments of one call (SEC-95). */
const MAX_ARGUMENT_BYTES = 256 * 1024;

/** Models write an empty string for no arguments, and now and then JSON inside a JSON string. */
function parseObject(json: string): Record<string, unknown> | undefined {
  if (json.trim() === '') return {};
  if (json.length > MAX_ARGUMENT_BYTES) return undefined;
  let parsed = writtenJson(json);
  if (typeof parsed === 'string') parsed = writtenJson(parsed);
  return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
    ? (parsed as Record<string, unknown>)
    : undefined;
}

/** A direct call of one tool has no conversation, but its result still answers something. */
export const directCall = (name: string, input: Record<string, unknown>): ToolCall => ({
  id: newServerToolUseId(),
  name,
  input,
});
