/** Options of a path each, and how an object literal gets those that it lacks. */
import { Node } from 'ts-morph';
import type { Edits } from './edits.js';

/** Options by path, each with its text. */
export type Wanted = readonly { readonly path: readonly string[]; readonly value: string }[];

/** What a comment says before the options, and where it leads. */
export interface Comment {
  readonly what: string;
  readonly link: string;
}

export interface Tree {
  [name: string]: Tree | string;
}

export function buildTree(wanted: Wanted): Tree {
  const tree: Tree = {};
  for (const { path, value } of wanted) {
    let at = tree;
    for (const name of path.slice(0, -1)) at = (at[name] ??= {}) as Tree;
    at[path.at(-1)!] = value;
  }

  return tree;
}

/** On one line: `{ query: { limit: 5 } }`. */
export function printOptions(value: Tree | string): string {
  if (typeof value === 'string') return value;

  return `{ ${Object.entries(value)
    .map(([name, each]) => `${name}: ${printOptions(each)}`)
    .join(', ')} }`;
}

/**
 * Adds the options that an object literal does not have; those that it has stay. Where it is not written out, a comment
 * names them.
 */
export function addOptions(options: Node, tree: Tree, edits: Edits, comment: Comment): void {
  if (!Node.isObjectLiteralExpression(options)) {
    edits.mark(options, `${comment.what} ${printOptions(tree)}`, comment.link);
    return;
  }
  const missing: Tree = {};
  for (const [name, value] of Object.entries(tree)) {
    const property = options.getProperty(name);
    if (!property) {
      missing[name] = value;
    } else if (typeof value !== 'string') {
      const inner = Node.isPropertyAssignment(property) ? property.getInitializerOrThrow() : property;
      addOptions(inner, value, edits, comment);
    }
  }
  const texts = Object.entries(missing).map(([name, value]) => `${name}: ${printOptions(value)}`);
  if (texts.length === 0) return;
  // What is spread into the object may have such an option.
  if (options.getProperties().some(Node.isSpreadAssignment)) {
    edits.mark(options, `${comment.what} ${printOptions(missing)}`, comment.link);
    return;
  }

  const last = options.getProperties().at(-1);
  if (!last) {
    edits.replace(options.getStart(), options.getEnd(), `{ ${texts.join(', ')} }`);
  } else if (options.getText().includes('\n')) {
    const indent = ' '.repeat(last.getStart() - last.getStartLinePos());
    edits.insert(last.getEnd(), texts.map((text) => `,\n${indent}${text}`).join(''));
  } else {
    edits.insert(last.getEnd(), texts.map((text) => `, ${text}`).join(''));
  }
}
