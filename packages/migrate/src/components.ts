/** The scripts of a Vue or Svelte component as one source, each character at its offset in the component. */

const OPENINGS = /<!--|<script\b/gi;
/** Attributes, whose quotes may hold a `>`. */
const ATTRIBUTES = /((?:"[^"]*"|'[^']*'|[^>"'])*)>/y;
const CLOSING = /<\/script\s*>/gi;

const COMPONENT = /\.(?:vue|svelte)$/;
const SOURCE_OF_COMPONENT = /(\.(?:vue|svelte))\.script\.[jt]sx?$/;

export interface ScriptText {
  readonly path: string;
  readonly text: string;
}

/** The source in a file: the scripts of a component, all of any other file. */
export function extractScript(path: string, text: string): ScriptText {
  if (!COMPONENT.test(path)) return { path, text };

  let result = '';
  let language = 'js';
  for (const { attributes, start, end } of findScripts(text)) {
    result += blank(text.slice(result.length, start)) + text.slice(start, end);
    language = /\blang\s*=\s*["']?([jt]sx?)\b/.exec(attributes)?.[1] ?? language;
  }

  return { path: `${path}.script.${language}`, text: result + blank(text.slice(result.length)) };
}

interface Script {
  readonly attributes: string;
  readonly start: number;
  readonly end: number;
}

/** The scripts outside of comments. A comment or script without an end is the last part of its file. */
function* findScripts(text: string): Generator<Script> {
  for (let at = 0; ;) {
    const opening = find(OPENINGS, text, at);
    if (!opening) return;

    const inside = opening.index + opening[0].length;
    const tag = opening[0] === '<!--' ? undefined : find(ATTRIBUTES, text, inside);
    if (tag === null) return;

    const start = inside + (tag?.[0].length ?? 0);
    const closing = find(tag ? CLOSING : /-->/g, text, start);
    if (!closing) return;
    if (tag) yield { attributes: tag[1]!, start, end: closing.index };

    at = closing.index + closing[0].length;
  }
}

/** The first match of a global pattern at or behind an offset. */
function find(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;

  return pattern.exec(text);
}

/** The file behind a source. */
export function restoreFilePath(path: string): string {
  return path.replace(SOURCE_OF_COMPONENT, '$1');
}

function blank(text: string): string {
  return text.replace(/[^\r\n]/g, ' ');
}
