/** The rules over a whole request body that no single field can tell (messages-api §9, rules 1 to 16). */
import type { z } from 'zod';
import { isToolResult, isToolUse, type InputBlock } from './blocks';
import { canonicalToolName, type ToolChoice, type ToolSpec } from './tools';

interface Conversation {
  messages: { role: string; content: string | InputBlock[] }[];
  system?: unknown;
  tools?: (ToolSpec | string)[] | null;
  tool_choice?: ToolChoice;
  tool_context?: unknown[] | null;
  mcp_servers?: unknown[] | null;
  response_format?: Format | null;
  output_format?: Format | null;
  output_config?: { format?: Format | null } | null;
}
type Format = { type: string; json_schema?: object | null; schema?: object | null };
type Report = (path: (string | number)[], message: string) => void;

export function checkConversation(request: Conversation, context: z.RefinementCtx): void {
  const report: Report = (path, message) =>
    context.addIssue({ code: 'custom', path, message: `Value error, ${message}`, input: undefined });
  checkTurns(request, report);
  checkSystemIsText(request, report);
  checkToolPairs(request, report);
  checkTools(request, report);
  checkFormat(request, report);
}

function checkTurns({ messages }: Conversation, report: Report): void {
  if (messages.every(({ role }) => role === 'system')) report(['messages'], 'Messages cannot be empty');
}

const NO_TEXT = new Set(['image', 'audio', 'document', 'binary']);

/** The system prompt is text. Media there would be lost, or fetched by nobody, and the model would not know of them. */
function checkSystemIsText({ messages, system }: Conversation, report: Report): void {
  const look = (block: { type?: string | null } | string, path: (string | number)[]) => {
    if (typeof block === 'string' || !NO_TEXT.has(block.type ?? '')) return;
    report(path, `A system prompt holds text alone. Put the ${block.type} block into a message of the user.`);
  };
  if (Array.isArray(system)) system.forEach((entry: SystemEntry, at) => look(entry, ['system', at]));
  else if (system != null) look(system as SystemEntry, ['system']);
  for (const [turn, { role, content }] of messages.entries()) {
    if (role !== 'system') break;
    if (typeof content === 'string') continue;
    for (const [position, block] of content.entries()) look(block, ['messages', turn, 'content', position]);
  }
}

type SystemEntry = { readonly type?: string | null } | string;

function checkToolPairs({ messages }: Conversation, report: Report): void {
  const used = new Set<string>();
  const answered = new Set<string>();
  for (const [turn, { role, content }] of messages.entries()) {
    if (typeof content === 'string') continue;
    for (const [position, block] of content.entries()) {
      const path = ['messages', turn, 'content', position];
      if (isToolUse(block)) {
        if (role !== 'assistant') report(path, `Tool use blocks can only be used in assistant messages: ${block.id}`);
        if (used.has(block.id)) report(path, `Duplicate tool use ID found: ${block.id}`);
        used.add(block.id);
      } else if (isToolResult(block)) {
        const id = block.tool_use_id;
        if (!used.has(id)) report(path, `Tool result block references an unknown tool use ID: ${id}`);
        if (answered.has(id)) report(path, `Invalid message order: tool use ${id} is answered twice`);
        answered.add(id);
      } else if (block.type === 'tldr' && role !== 'assistant') {
        report(path, 'TLDR blocks can only be used in assistant messages');
      }
    }
  }
  const open = [...used].filter((id) => !answered.has(id));
  if (open.length) {
    report(
      ['messages'],
      `Tool result blocks must match the tool use IDs in the same message. Without a result: ${open.slice(0, 10).join(', ')}`,
    );
  }
}

function checkTools({ tools, tool_choice: choice, tool_context }: Conversation, report: Report): void {
  if (tool_context?.length && tools == null) {
    report(
      ['tool_context'],
      'Tool context is provided, but no tools are specified. Name the tools that may use it in `tools`.',
    );
  }
  if (!tools?.length) return;
  const names = tools.map((tool) => (typeof tool === 'string' ? canonicalToolName(tool) : tool.name));
  const twice = names.find((name, position) => names.indexOf(name) !== position);
  if (twice !== undefined) report(['tools'], `Duplicate tool names: ${twice}. Each tool needs a name of its own.`);

  if (choice?.type !== 'tool') return;
  if (!choice.name) report(['tool_choice', 'name'], 'tool_choice of type tool needs the name of a tool');
  else if (!tools.some((tool) => isNamed(tool, choice.name!))) {
    report(['tool_choice'], `Tool choice '${choice.name}' is not in the provided tools.`);
  }
}

/** By its own name, its type string, or the canonical name of its type. */
export function isNamed(tool: ToolSpec | string, name: string): boolean {
  const type = typeof tool === 'string' ? tool : tool.type;
  return (
    (typeof tool !== 'string' && tool.name === name) ||
    (type != null && (type === name || canonicalToolName(type) === canonicalToolName(name)))
  );
}

function checkFormat(
  { response_format, output_format, output_config, tools, mcp_servers, system }: Conversation,
  report: Report,
): void {
  const structured = [
    { path: 'response_format', format: response_format },
    { path: 'output_format', format: output_format },
    { path: 'output_config', format: output_config?.format },
  ].filter(({ format }) => format?.type === 'json_schema');
  for (const { path, format } of structured) {
    if (!format?.json_schema && !format?.schema) {
      report([path], 'JSON schema must be provided when response format is json_schema');
    }
    if (mcp_servers?.length) report([path], 'MCP servers are not supported when structured output is enabled.');
    if (wantsCitations(system)) report([path], 'Citations are not supported when structured output is enabled.');
  }
  if (structured.some(({ path }) => path === 'response_format') && tools?.length) {
    report(['tools'], 'Tools are not supported when response_format is set to json_schema');
  }
}

const wantsCitations = (system: unknown): boolean =>
  Array.isArray(system)
    ? system.some(wantsCitations)
    : (system as { citations?: { enabled?: boolean } } | null)?.citations?.enabled === true;
