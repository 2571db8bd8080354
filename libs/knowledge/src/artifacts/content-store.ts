import type { Caller } from '@app/access';
import type { ContextFilter } from '@app/contract';

/** Artifacts whose content is shown in one answer (messages-api §14.5). */
export const MAX_CONTENTS = 20;

/** Port: artifacts in full, as they are searched. */
export abstract class ContentStore {
  /**
   * In the order of their names. A collection that is not there has none.
   *
   * @throws ArtifactNotReadyError, InvalidRequestError as a search does; TooLargeError for more than MAX_CONTENTS.
   */
  abstract read(caller: Caller, filter: ContextFilter): Promise<ArtifactText[]>;
}

export interface ContentNode {
  readonly id: string;
  readonly type: 'SectionNode' | 'TextNode' | 'TableNode';
  readonly content: string;
  readonly children: ContentNode[];
}

export interface ArtifactText {
  readonly artifact: string;
  readonly passages: readonly { readonly text: string; readonly headings: readonly string[] }[];
}

/** Passages as one Markdown text, each heading where it begins. */
export function asMarkdown({ passages }: ArtifactText): string {
  const parts: string[] = [];
  let path: readonly string[] = [];
  for (const { text, headings } of passages) {
    const same = headings.findIndex((heading, at) => heading !== path[at]);
    const from = same === -1 ? headings.length : same;
    headings.slice(from).forEach((heading, at) => parts.push(`${'#'.repeat(Math.min(6, from + at + 1))} ${heading}`));
    if (text !== headings.at(-1)) parts.push(text);
    path = headings;
  }
  return parts.join('\n\n');
}

/** Passages as a tree: a section for each heading, and under it its texts and tables. */
export function asTree({ artifact, passages }: ArtifactText): ContentNode {
  let made = 0;
  const node = (type: ContentNode['type'], content: string): ContentNode => ({
    id: `${artifact}#${made++}`,
    type,
    content,
    children: [],
  });
  const root = node('SectionNode', '');
  let open: ContentNode[] = [root];
  let path: readonly string[] = [];
  for (const { text, headings } of passages) {
    const same = headings.findIndex((heading, at) => heading !== path[at]);
    open = open.slice(0, (same === -1 ? headings.length : same) + 1);
    for (const heading of headings.slice(open.length - 1)) {
      const section = node('SectionNode', heading);
      open.at(-1)?.children.push(section);
      open.push(section);
    }
    if (text !== headings.at(-1))
      open.at(-1)?.children.push(node(/^\|.*\|\n\|[ :-]/.test(text) ? 'TableNode' : 'TextNode', text));
    path = headings;
  }
  return root;
}
