/** The scripts of a Vue or Svelte component as one source, each character at its offset in the component. */

/** A comment, or a script; the quotes of an attribute may hold a `>`. */
const PARTS = /<!--[\s\S]*?-->|(<script\b((?:"[^"]*"|'[^']*'|[^>"'])*)>)([\s\S]*?)<\/script\s*>/gi;

const COMPONENT = /\.(?:vue|svelte)$/;
const SOURCE_OF_COMPONENT = /(\.(?:vue|svelte))\.script\.[jt]sx?$/;

export interface ScriptText {
  readonly path: string;
  readonly text: string;
}

/** The source in a file: the scripts of a component, all of any other file. */
export function scriptOf(path: string, text: string): ScriptText {
  if (!COMPONENT.test(path)) return { path, text };

  let result = '';
  let language = 'js';
  for (const { index, 1: tag, 2: attributes = '', 3: script = '' } of text.matchAll(PARTS)) {
    if (tag === undefined) continue;
    const start = index + tag.length;
    result += blank(text.slice(result.length, start)) + script;
    language = /\blang\s*=\s*["']?([jt]sx?)\b/.exec(attributes)?.[1] ?? language;
  }

  return { path: `${path}.script.${language}`, text: result + blank(text.slice(result.length)) };
}

/** The file behind a source. */
export function fileOf(path: string): string {
  return path.replace(SOURCE_OF_COMPONENT, '$1');
}

function blank(text: string): string {
  return text.replace(/[^\r\n]/g, ' ');
}
