/**
 * Which promises the tests of this repository cite: `§id` in the title of a test, or of the block around it.
 *
 * `it.failing` is the probe of a gap. Skipped tests prove nothing and are not read.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';

export interface Citation {
  readonly id: string;
  readonly kind: 'test' | 'probe';
  readonly file: string;
}

interface Spec {
  readonly file: string;
  readonly source: string;
}

const ROOT = join(__dirname, '../..');
const MARK = /§([a-z][a-z0-9]*(?:-[a-z0-9]+)*)/g;

export function citations(specs: readonly Spec[] = allSpecs()): Citation[] {
  return specs
    .filter(({ source }) => source.includes('§'))
    .flatMap(({ file, source }) => {
      const found: Citation[] = [];
      const visit = (node: ts.Node): void => {
        if (ts.isCallExpression(node)) {
          const [name, ...modifiers] = calledName(node.expression);
          if (name === 'it' || name === 'test' || name === 'describe') {
            if (modifiers.some((one) => one === 'skip' || one === 'todo')) return;
            const kind = modifiers.includes('failing') ? 'probe' : 'test';
            for (const [, id] of titleOf(node.arguments[0]).matchAll(MARK)) found.push({ id: id!, kind, file });
          }
        }
        ts.forEachChild(node, visit);
      };
      visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest));
      return found;
    });
}

/** `it.each<[…]>(table)` and plain `it` alike: the name and what is chained to it. */
function calledName(expression: ts.Expression): string[] {
  if (ts.isIdentifier(expression)) return [expression.text];
  if (ts.isPropertyAccessExpression(expression)) return [...calledName(expression.expression), expression.name.text];
  if (ts.isCallExpression(expression)) return calledName(expression.expression);
  return [];
}

/** What is written of a title; what is put into it is not known here. */
function titleOf(node: ts.Node | undefined): string {
  if (!node) return '';
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return [node.head, ...node.templateSpans.map(({ literal }) => literal)].map(({ text }) => text).join(' ');
  return '';
}

function allSpecs(): Spec[] {
  return ['apps', 'libs', 'scripts', 'test'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.spec.ts'))
      .map((name) => join(ROOT, folder, name))
      .map((path) => ({ file: relative(ROOT, path), source: readFileSync(path, 'utf8') })),
  );
}
