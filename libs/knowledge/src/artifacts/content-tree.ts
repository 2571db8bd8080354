/** Artifacts as trees of their sections, tables and texts, whole or in part (messages-api §14.5). */
import { TooLargeError, type ContentNodeFilter } from '@app/contract';
import type { ArtifactText } from './content-store';

/** Of all trees in one answer. */
export const MAX_NODES = 10_000;

export interface ContentNode {
  readonly id: string;
  readonly type: 'SectionNode' | 'TextNode' | 'TableNode' | 'ListNode';
  readonly content: string;
  readonly children: readonly ContentNode[];
}

interface OpenNode extends ContentNode {
  readonly children: OpenNode[];
}

/** Passages as a tree: a section for each heading, and under it its texts, lists and tables. */
export function asTree({ artifact, passages }: ArtifactText): ContentNode {
  let made = 0;
  const node = (type: ContentNode['type'], content: string): OpenNode => ({
    id: `${artifact}#${made++}`,
    type,
    content,
    children: [],
  });
  const root = node('SectionNode', '');
  let open: OpenNode[] = [root];
  let path: readonly string[] = [];
  for (const { text, headings } of passages) {
    const same = headings.findIndex((heading, at) => heading !== path[at]);
    open = open.slice(0, (same === -1 ? headings.length : same) + 1);
    for (const heading of headings.slice(open.length - 1)) {
      const section = node('SectionNode', heading);
      open.at(-1)?.children.push(section);
      open.push(section);
    }
    if (text !== headings.at(-1)) open.at(-1)?.children.push(node(typeOf(text), text));
    path = headings;
  }
  return root;
}

function typeOf(text: string): ContentNode['type'] {
  if (/^\|.*\|\n\|[ :-]/.test(text)) return 'TableNode';
  return /^\s*(?:-|\d{1,4}\.) /.test(text) ? 'ListNode' : 'TextNode';
}

/**
 * The tree without what a filter leaves out. What is kept below something that is not moves up; the root stays.
 */
export function filtered(root: ContentNode, filter: ContentNodeFilter): ContentNode {
  const { include, exclude, node_ids: ids, include_children: withChildren, include_ancestors: withAncestors } = filter;
  const wanted = ids && new Set(ids);
  const isOut = ({ type }: ContentNode) => exclude?.includes(type) ?? false;
  const isWanted = (node: ContentNode) =>
    !isOut(node) && (include?.includes(node.type) ?? true) && (wanted?.has(node.id) ?? true);
  const visit = (node: ContentNode, above: boolean): ContentNode[] => {
    const isKept = isWanted(node) || (above && !isOut(node));
    const children = node.children.flatMap((child) => visit(child, withChildren && isKept));
    const isAncestor = withAncestors && children.length > 0 && !isOut(node);
    return isKept || isAncestor ? [{ ...node, children }] : children;
  };
  // The root itself is a section only to hold the others; asked for by its id, it is the whole.
  const whole = withChildren && (wanted?.has(root.id) ?? false);
  return { ...root, children: root.children.flatMap((child) => visit(child, whole)) };
}

export interface MarkdownBlock {
  readonly text: string;
  /** The headings above it, or its own. */
  readonly headings: readonly string[];
}

/** The tree as Markdown, block by block. Headings keep the level that they have in `whole`. */
export function* markdownBlocks(tree: ContentNode, whole: ContentNode): Generator<MarkdownBlock> {
  const levels = new Map<string, number>();
  const measure = (node: ContentNode, level: number) => {
    levels.set(node.id, level);
    for (const child of node.children) measure(child, level + 1);
  };
  measure(whole, 0);
  yield* below(tree, []);

  function* below(node: ContentNode, path: readonly string[]): Generator<MarkdownBlock> {
    for (const child of node.children) {
      const isSection = child.type === 'SectionNode';
      const headings = isSection ? [...path, child.content] : path;
      const mark = '#'.repeat(Math.min(6, levels.get(child.id) ?? 1));
      yield { text: isSection ? `${mark} ${child.content}` : child.content, headings };
      yield* below(child, headings);
    }
  }
}

/** @throws TooLargeError beyond MAX_NODES. */
export function checkNodes(trees: readonly ContentNode[]): void {
  let nodes = 0;
  const visit = (node: ContentNode) => {
    if (++nodes > MAX_NODES) {
      throw new TooLargeError(
        `limit_exceeded: the trees have more than ${MAX_NODES} nodes. Ask for fewer artifacts, for parts of them (filter), or for format markdown.`,
      );
    }
    node.children.forEach(visit);
  };
  trees.forEach(visit);
}
