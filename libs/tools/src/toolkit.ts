/** The built-in tools of this server, and the tool box that one request may open from them. */
import type { Caller } from '@app/access';
import {
  canonicalToolName,
  InvalidRequestError,
  isNamed,
  type MessagesRequest,
  type ToolChoice,
  type ToolContext,
  type ToolSpec,
} from '@app/contract';
import type { ToolDeclaration } from '@app/models';
import { z } from 'zod';
import { anthropicClientTool, isAnthropicServerTool, isDatedType } from './custom/anthropic-client-tools';
import type { BuiltInTool, ContextNeed, ToolRun } from './tool';
import { ToolBox, type CustomTool, type OfferedBuiltIn } from './tool-box';

export interface ToolkitLog {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

type ToolFields = Pick<MessagesRequest, 'tools' | 'tool_choice' | 'tool_context'>;

const AUTO: ToolChoice = { type: 'auto', disable_parallel_tool_use: false, validation_mode: 'lazy' };

export class Toolkit {
  private readonly builtIns: ReadonlyMap<string, BuiltInTool>;
  private readonly schemas = new Map<BuiltInTool, Record<string, unknown>>();

  constructor(
    tools: readonly BuiltInTool[],
    private readonly log: ToolkitLog,
  ) {
    this.builtIns = new Map(tools.map((tool) => [tool.name, tool]));
  }

  /**
   * The tools of a request (messages-api §5).
   *
   * With `tool_choice: none` nothing is offered and nothing is checked; with `tool` only the named one is. Each
   * built-in must have its context; in `eager` mode the context is looked at as well.
   *
   * @throws InvalidRequestError in the contract's words.
   */
  async open(caller: Caller, request: ToolFields, signal: AbortSignal): Promise<ToolBox> {
    const choice = request.tool_choice ?? AUTO;
    const tools = choice.type === 'none' ? [] : this.offered(request, choice);
    const box = new ToolBox({
      caller,
      tools,
      choice,
      onFailure: (tool, error) => this.log.error({ tool, err: error }, 'A tool failed'),
    });
    if (choice.validation_mode === 'eager') await box.check(signal);
    return box;
  }

  private offered({ tools, tool_context }: ToolFields, choice: ToolChoice): (CustomTool | OfferedBuiltIn)[] {
    const selected = choice.type === 'tool' ? named(tools ?? [], choice.name ?? '') : (tools ?? []);
    return selected.flatMap((spec) => {
      const resolved = this.resolve(spec, tool_context ?? []);
      return resolved ? [resolved] : [];
    });
  }

  private resolve(given: ToolSpec | string, globalContext: readonly ToolContext[]) {
    const spec: ToolSpec = typeof given === 'string' ? { name: canonicalToolName(given), type: given } : given;
    const type = spec.type ?? 'custom';
    const builtIn = this.builtIns.get(canonicalToolName(type));
    if (builtIn) return this.builtIn(builtIn, spec, globalContext);
    if (typeof given === 'string') {
      throw new InvalidRequestError(
        `Invalid tool specification: '${given}' is not a built-in tool. Built-in: ${[...this.builtIns.keys()].join(', ')}.`,
      );
    }
    if (isAnthropicServerTool(type)) {
      throw new InvalidRequestError(`tools: the server tool type ${type} is not enabled on this server.`);
    }
    const known = anthropicClientTool(type);
    if (!known && isDatedType(type)) {
      this.log.warn({ type }, 'A tool of an unknown dated type is not offered to the model');
      return undefined;
    }
    return custom(spec, known);
  }

  private builtIn(tool: BuiltInTool, spec: ToolSpec, globalContext: readonly ToolContext[]): OfferedBuiltIn {
    const { name, description, needs } = tool;
    return {
      declaration: { name: spec.name, description, inputSchema: this.schemaOf(tool), builtIn: name },
      tool,
      context: needs ? contextFor(needs, spec.context ?? globalContext) : [],
    };
  }

  private schemaOf(tool: BuiltInTool): Record<string, unknown> {
    let schema = this.schemas.get(tool);
    if (!schema) {
      const { $schema: _, ...rest } = z.toJSONSchema(tool.input, { io: 'input' });
      schema = rest;
      this.schemas.set(tool, schema);
    }
    return schema;
  }
}

/** The tool of that very name, else the built-in whose type it is. */
function named(tools: readonly (ToolSpec | string)[], name: string): (ToolSpec | string)[] {
  const own = tools.find((tool) => typeof tool !== 'string' && tool.name === name);
  return [own ?? tools.find((tool) => isNamed(tool, name))].filter((tool) => tool !== undefined);
}

function custom(spec: ToolSpec, known: ReturnType<typeof anthropicClientTool>): CustomTool {
  const declaration: ToolDeclaration = {
    name: spec.name,
    description: spec.description ?? known?.description ?? '',
    inputSchema: spec.input_schema ?? known?.inputSchema ?? { type: 'object', properties: {} },
  };
  return { declaration };
}

/** A tool picks the kinds of context that it understands and ignores the others (messages-api §5.3). */
function contextFor(need: ContextNeed<ToolContext['type']>, contexts: readonly ToolContext[]): ToolRun['context'] {
  const fitting = contexts.filter(({ type }) => type === need.kind);
  if (fitting.length === 0) throw new InvalidRequestError(need.otherwise);
  if (fitting.length > 1 && need.atMostOne) throw new InvalidRequestError(need.atMostOne);
  return fitting;
}
