/**
 * Changes of one text, collected while its syntax tree is read and applied at once, so that everything else stays as it
 * is written.
 */
import type { Node, SourceFile } from 'ts-morph';

interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** A place that a person must look at. */
export interface Mark {
  readonly path: string;
  /** The line after all changes. */
  readonly line: number;
  readonly text: string;
}

const PREFIX = '// nestwright: ';

/** Text of the comments that say what a person must do. */
const MARKED = /^\s*\/\/ nestwright: (.*)/;

export class Edits {
  readonly #edits: Edit[] = [];
  readonly #lines: Edit[] = [];
  /** Comments by the start of the line below them. */
  readonly #marks = new Map<number, string[]>();
  readonly #text: string;
  readonly #newline: string;

  /** @param text What is changed; of a component it is more than its scripts. */
  constructor(
    readonly source: SourceFile,
    text: string = source.getFullText(),
  ) {
    this.#text = text;
    this.#newline = this.#text.includes('\r\n') ? '\r\n' : '\n';
  }

  /** Replaces a part. Of overlapping changes, the first one counts. */
  replace(from: number, to: number, text: string): void {
    const taken = this.#edits.some((edit) => from < edit.to && edit.from < to);
    if (!taken) this.#edits.push({ from, to, text });
  }

  insert(at: number, text: string): void {
    this.#edits.push({ from: at, to: at, text: text.replaceAll('\n', this.#newline) });
  }

  /** Inserts a line above another and its comments. */
  insertLine(at: number, text: string): void {
    this.#lines.push({ from: at, to: at, text: text + this.#newline });
  }

  /** Inserts lines below the last line of a node, which may itself be removed. */
  appendLines(node: Node, text: string): void {
    const at = this.#skip(node.getEnd(), /[^\n]*\n?/y);
    const isLine = this.#text[at - 1] === '\n';
    const lines = text.replaceAll('\n', this.#newline);
    this.#lines.push({ from: at, to: at, text: isLine ? lines + this.#newline : this.#newline + lines });
  }

  /** Removes a statement with the end of its line. */
  removeLine(node: Node): void {
    this.replace(node.getStart(), this.#skip(node.getEnd(), /[^\S\n]*\n?/y), '');
  }

  /** Writes a comment above the line of a node, unless it is there already. */
  mark(node: Node, what: string, link: string): void {
    const start = this.#findLineStart(node);
    const comment = `${what}; see ${link}`;
    const comments = this.#marks.get(start) ?? [];
    if (!comments.includes(comment) && !this.#above(start).includes(comment)) comments.push(comment);
    this.#marks.set(start, comments);
  }

  result(): string {
    const comments = [...this.#marks].map(([at, texts]) => {
      const indent = this.#text.slice(at, this.#skip(at, /[^\S\r\n]*/y));
      return { from: at, to: at, text: texts.map((text) => `${indent}${PREFIX}${text}${this.#newline}`).join('') };
    });
    // The sort is stable, so changes at the same offset keep this order.
    const all = [...this.#lines, ...comments, ...this.#edits].sort((a, b) => a.from - b.from);
    let result = '';
    let at = 0;
    for (const { from, to, text } of all) {
      result += this.#text.slice(at, from) + text;
      at = Math.max(at, to);
    }

    return result + this.#text.slice(at);
  }

  /** The end of what a pattern matches at an offset. */
  #skip(from: number, pattern: RegExp): number {
    pattern.lastIndex = from;
    pattern.exec(this.#text);

    return pattern.lastIndex;
  }

  /** Start of the line of the nearest node at or above this one that begins its line. */
  #findLineStart(node: Node): number {
    for (const each of [node, ...node.getAncestors()]) {
      const start = each.getStart();
      const line = this.#text.lastIndexOf('\n', start - 1) + 1;
      if (this.#text.slice(line, start).trim() === '' && !isInText(each)) return line;
    }

    return this.source.getStart();
  }

  /** The comments above a line that exist already. */
  #above(line: number): string[] {
    const found: string[] = [];
    for (const each of this.#text.slice(0, line).split('\n').reverse().slice(1)) {
      const comment = MARKED.exec(each)?.[1];
      if (comment === undefined) break;
      found.push(comment);
    }

    return found;
  }
}

/** Whether a comment above a node would be text of a template or of JSX. */
function isInText(node: Node): boolean {
  return node.getAncestors().some((each) => /^(Template|Jsx)/.test(each.getKindName()));
}

/** The marks of a text that has been changed, with their lines. */
export function listMarks(path: string, text: string): Mark[] {
  return text.split('\n').flatMap((each, at) => {
    const comment = MARKED.exec(each)?.[1];
    return comment === undefined ? [] : [{ path, line: at + 1, text: comment }];
  });
}
