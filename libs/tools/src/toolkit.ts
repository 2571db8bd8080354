/** The built-in tools of this server, and the tool box that one request may open from them. */
import type { AuditTrail, Caller } from '@app/access';
import {
  canonicalToolName,
  InvalidRequestError,
  isNamed,
  type MessagesRequest,
  type ToolChoice,
  type ToolContext,
  type ToolSpec,
} from '@app/contract';
import type { ChatModel, ToolDeclaration } from '@app/models';
import { abortSignalOf, type StopSignal } from '@app/platform';
import { z } from 'zod';
import type { SchemaCheck } from './custom/schema-check';
import { SchemaGuard } from './custom/schema-guard';
import { anthropicClientTool, isNotServed, isDatedType } from './custom/anthropic-client-tools';
import type { BuiltInTool, ContextNeed, ToolRun } from './tool';
import { TurnScope } from './turn-scope';
import { ToolBox, type CustomTool, type OfferedBuiltIn } from './tool-box';

export interface ToolkitLog {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

type ToolFields = Pick<MessagesRequest, 'tools' | 'tool_choice' | 'tool_context'> &
  Partial<Pick<MessagesRequest, 'messages'>> & {
    /** Web addresses that the caller names elsewhere than in a message. */
    readonly namedUrls?: readonly string[];
  };

/** What a request without `tool_choice` means. */
export const AUTO: ToolChoice = { type: 'auto', disable_parallel_tool_use: false, validation_mode: 'lazy' };

/** A tool of the request, not yet with its context; `own` is the context that it brings itself. */
type Selected = CustomTool | (Omit<OfferedBuiltIn, 'context'> & { readonly own?: readonly ToolContext[] });

export class Toolkit {
  private readonly builtIns: ReadonlyMap<string, BuiltInTool>;
  private readonly schemas = new Map<BuiltInTool, Record<string, unknown>>();

  constructor(
    tools: readonly BuiltInTool[],
    private readonly log: ToolkitLog,
    private readonly schemaCheck: Pick<SchemaCheck, 'check'>,
    private readonly audit: Pick<AuditTrail, 'record'>,
  ) {
    this.builtIns = new Map(tools.map((tool) => [tool.name, tool]));
  }

  /**
   * The tools of a request (messages-api §5).
   *
   * With `tool_choice: none` nothing is offered and nothing is checked; with `tool` only the named one is. Each
   * built-in must have its context; in `eager` mode the context is looked at as well.
   *
   * @throws InvalidRequestError in the contract's words; `unsafe_schema` for a schema beyond the limits of SEC-92.
   */
  async open(caller: Caller, request: ToolFields, model: ChatModel, signal: StopSignal): Promise<ToolBox> {
    const choice = request.tool_choice ?? AUTO;
    const box = new ToolBox({
      caller,
      tools: this.selected(request).map((tool) => withContext(tool, request.tool_context ?? [])),
      choice,
      turn: new TurnScope(request.messages, request.namedUrls),
      schemas: this.schemaCheck,
      model,
      audit: this.audit,
      onFailure: (tool, error) => this.log.error({ tool, err: error }, 'A tool failed'),
    });
    if (choice.validation_mode === 'eager') await box.check(abortSignalOf(signal));
    return box;
  }

  /** What the model would be offered, whatever context there is: for counting (messages-api §12.1). */
  declarations(request: Pick<ToolFields, 'tools' | 'tool_choice'>): readonly ToolDeclaration[] {
    return this.selected(request).map(({ declaration }) => declaration);
  }

  private selected({ tools, tool_choice: choice }: Pick<ToolFields, 'tools' | 'tool_choice'>): Selected[] {
    if (!tools || choice?.type === 'none') return [];
    const specs = choice?.type === 'tool' ? named(tools, choice.name ?? '') : tools;
    const guard = new SchemaGuard();
    return specs.flatMap((spec) => this.resolve(spec, guard) ?? []);
  }

  private resolve(given: ToolSpec | string, guard: SchemaGuard): Selected | undefined {
    const spec: ToolSpec = typeof given === 'string' ? { name: canonicalToolName(given), type: given } : given;
    const type = spec.type ?? 'custom';
    const tool = this.builtIns.get(canonicalToolName(type));
    if (tool) {
      const { name, description } = tool;
      return {
        declaration: { name: spec.name, description, inputSchema: this.schemaOf(tool), builtIn: name },
        tool,
        spec,
        own: spec.context ?? undefined,
      };
    }
    if (typeof given === 'string') {
      throw new InvalidRequestError(
        `Invalid tool specification: '${given}' is not a built-in tool. Built-in: ${[...this.builtIns.keys()].join(', ')}.`,
      );
    }
    if (isNotServed(type)) {
      throw new InvalidRequestError(`tools: the tool type ${type} is not enabled on this server. Leave it out.`);
    }
    const known = anthropicClientTool(type);
    if (!known && isDatedType(type)) {
      this.log.warn({ type }, 'A tool of an unknown dated type is not offered to the model');
      return undefined;
    }
    if (spec.input_schema) guard.check(spec.input_schema, `the input_schema of ${spec.name}`);
    return custom(spec, known);
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

/** The global context applies to each tool without its own (messages-api §5.3). */
function withContext(selected: Selected, globalContext: readonly ToolContext[]): CustomTool | OfferedBuiltIn {
  if (!('tool' in selected)) return selected;
  const { declaration, tool, spec, own } = selected;
  return { declaration, tool, spec, context: tool.needs ? contextFor(tool.needs, own ?? globalContext) : [] };
}

/** A tool picks the kinds of context that it understands and ignores the others (messages-api §5.3). */
function contextFor(need: ContextNeed<ToolContext['type']>, contexts: readonly ToolContext[]): ToolRun['context'] {
  const fitting = contexts.filter(({ type }) => type === need.kind);
  if (fitting.length === 0) throw new InvalidRequestError(need.otherwise);
  if (fitting.length > 1 && need.atMostOne) throw new InvalidRequestError(need.atMostOne);
  return fitting;
}
