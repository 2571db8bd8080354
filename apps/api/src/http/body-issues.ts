/**
 * What a schema found wrong, as the contract tells it (messages-api §1.4): where, which rule, never the value (SEC-138).
 */
import type { BodyIssue } from '@app/contract';
import type { z } from 'zod';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

const MAX_ISSUES = 10;
/** Longer lists are no help. Clients also look for the word "tool" in what is refused (anthropic-compat §11). */
const MAX_OPTIONS = 6;

/** @param root where the values come from: `body`, `query` or `path`. */
export function bodyIssues(error: z.ZodError, root: string): BodyIssue[] {
  const told = new Map<string, BodyIssue>();
  for (const { issue, path } of error.issues.flatMap((one) => leaves(one, []))) {
    const entry = { ...described(issue), loc: [root, ...path.map(step)] };
    // A rule of one field and a rule of the whole body may say the same.
    told.set(JSON.stringify(entry), entry);
  }
  return [...told.values()].slice(0, MAX_ISSUES);
}

interface Leaf {
  readonly issue: Issue;
  readonly path: Path;
}

/**
 * An issue of a union says only "Invalid input"; the useful ones sit in its branches. The branch that the caller
 * meant is the one in which the check came deepest: a list of blocks with one bad block is not a bad string.
 */
function leaves(issue: Issue, parent: Path): Leaf[] {
  const path = [...parent, ...issue.path];
  if (issue.code !== 'invalid_union') return [{ issue, path }];
  // The tag is what is wrong, but the caller knows the block by its place: `messages.2.content.0`.
  if (issue.errors.length === 0)
    return [{ issue, path: path.at(-1) === issue.discriminator ? path.slice(0, -1) : path }];
  if (issue.message !== GENERIC) return [{ issue, path }];
  const branches = issue.errors.map((issues) => issues.flatMap((inner) => leaves(inner, path)));
  const best = branches.reduce((chosen, branch) => (depthOf(branch) > depthOf(chosen) ? branch : chosen));
  return depthOf(best) > path.length ? best : [{ issue: oneOf(issue, branches), path }];
}

const GENERIC = 'Invalid input';
const depthOf = (branch: readonly Leaf[]) => Math.max(...branch.map(({ path }) => path.length));

/** No branch came further than the value itself: say all the kinds of value that would do. */
function oneOf(union: Issue, branches: readonly Leaf[][]): Issue {
  const expected = branches.flat().flatMap(({ issue }) => (issue.code === 'invalid_type' ? [issue.expected] : []));
  const missing = branches.flat().every(({ issue }) => isMissing(issue));
  if (missing) return { ...union, message: MISSING };
  return expected.length
    ? { ...union, message: `Invalid input: expected ${[...new Set(expected)].join(' or ')}` }
    : union;
}

const MISSING = 'Field required';
const isMissing = ({ code, message }: Issue) => code === 'invalid_type' && message.endsWith('received undefined');

function described(issue: Issue): Pick<BodyIssue, 'type' | 'msg'> {
  if (isMissing(issue) || issue.message === MISSING) return { type: 'missing', msg: MISSING };
  if (issue.code === 'custom' || issue.message.startsWith('Value error'))
    return { type: 'value_error', msg: issue.message };
  if (issue.code === 'invalid_union' && 'options' in issue && Array.isArray(issue.options)) {
    const { options, discriminator } = issue;
    const told = options.slice(0, MAX_OPTIONS).join(', ');
    const more = options.length > MAX_OPTIONS ? ', … (/openapi.json lists them all)' : '';
    return { type: 'union_tag_invalid', msg: `Unknown ${discriminator}: expected one of ${told}${more}` };
  }
  return { type: issue.code, msg: issue.message };
}

const step = (key: PropertyKey): string | number => (typeof key === 'number' ? key : String(key));
