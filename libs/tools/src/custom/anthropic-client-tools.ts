/**
 * Anthropic's dated tool types (anthropic-compat §6).
 *
 * A client tool with a built-in schema is declared by its type alone: the caller runs it, the server supplies the
 * schema. A server tool of that family has to be run here or refused: nobody else would run it.
 */
const string = { type: 'string' };
const integer = { type: 'integer' };
const integers = { type: 'array', items: integer };

interface ClientTool {
  readonly description: string;
  readonly inputSchema: Record<string, unknown>;
}

const object = (properties: Record<string, unknown>, required: string[] = []) => ({
  type: 'object',
  properties,
  required,
});

const CLIENT_TOOLS: readonly [family: RegExp, tool: ClientTool][] = [
  [
    /^bash_\d{8}$/,
    {
      description: 'Run a command in a bash session that lasts over several calls.',
      inputSchema: object({ command: string, restart: { type: 'boolean' } }),
    },
  ],
  [
    /^text_editor_\d{8}$/,
    {
      description: 'View, create and edit text files.',
      inputSchema: object(
        {
          command: { type: 'string', enum: ['view', 'create', 'str_replace', 'insert', 'undo_edit'] },
          path: string,
          file_text: string,
          old_str: string,
          new_str: string,
          insert_line: integer,
          insert_text: string,
          view_range: integers,
        },
        ['command', 'path'],
      ),
    },
  ],
  [
    /^memory_\d{8}$/,
    {
      description: 'Keep notes in files that last over conversations.',
      inputSchema: object(
        {
          command: { type: 'string', enum: ['view', 'create', 'str_replace', 'insert', 'delete', 'rename'] },
          path: string,
          file_text: string,
          old_str: string,
          new_str: string,
          insert_line: integer,
          insert_text: string,
          old_path: string,
          new_path: string,
          view_range: integers,
        },
        ['command'],
      ),
    },
  ],
  [
    /^computer_\d{8}$/,
    {
      description: 'Look at and act on the screen of a computer.',
      inputSchema: object(
        {
          action: string,
          coordinate: integers,
          start_coordinate: integers,
          text: string,
          scroll_direction: { type: 'string', enum: ['up', 'down', 'left', 'right'] },
          scroll_amount: integer,
          duration: { type: 'number' },
          region: integers,
        },
        ['action'],
      ),
    },
  ],
];

/** The schema of a dated client tool, or undefined where the type is none. */
export function anthropicClientTool(type: string): ClientTool | undefined {
  return CLIENT_TOOLS.find(([family]) => family.test(type))?.[1];
}

const NOT_SERVED =
  /^(web_search|web_fetch|code_execution|tool_search_tool_\w+|advisor|computer_toolset|browser_toolset)_\d{8}$/;

/** Whether Anthropic's own servers run this type, or write its many tools out, so that a client would not. */
export const isNotServed = (type: string): boolean => NOT_SERVED.test(type);

/** Any other type with a date at its end: of a client that is newer than we are. */
export const isDatedType = (type: string): boolean => /_\d{8}$/.test(type);
