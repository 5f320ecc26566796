/** PostgreSQL's text of a one-dimensional list of texts as JSON; `undefined` for any other text. */
const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;
/** Characters below it are escaped in JSON, but not in PostgreSQL's text. */
const PRINTABLE = 0x20;

/**
 * JSON of a list. PostgreSQL quotes and escapes an item as JSON does, so a quoted item is copied and a bare one put in
 * quotation marks.
 *
 * @example
 * listJson('{new,"a \\"quoted\\" tag",NULL}'); // ["new","a \"quoted\" tag",null]
 */
export function listJson(text: string): string | undefined {
  const last = text.length - 1;
  if (text.charCodeAt(0) !== OPEN || text.charCodeAt(last) !== CLOSE) return undefined;
  if (last === 1) return '[]';

  let json = '';

  for (let from = 1; ;) {
    const isQuoted = text.charCodeAt(from) === QUOTE;
    const end = isQuoted ? findQuotedEnd(text, from + 1, last) : findBareEnd(text, from, last);
    if (end === undefined) return undefined;

    const item = text.slice(from, end);
    const value = isQuoted ? item : item === 'NULL' ? 'null' : `"${item}"`;
    json += from === 1 ? value : `,${value}`;
    if (end === last) return `[${json}]`;
    if (text.charCodeAt(end) !== COMMA) return undefined;
    from = end + 1;
  }
}

/** Where the item ends, its closing quotation mark included. */
function findQuotedEnd(text: string, from: number, last: number): number | undefined {
  for (let at = from; at < last; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code === BACKSLASH) at += 1;
    if (text.charCodeAt(at) < PRINTABLE) return undefined;
  }

  return undefined;
}

function findBareEnd(text: string, from: number, last: number): number | undefined {
  for (let at = from; at <= last; at += 1) {
    const code = text.charCodeAt(at);
    if (code === COMMA || at === last) return at > from ? at : undefined;
    if (code < PRINTABLE || code === QUOTE || code === BACKSLASH || code === OPEN || code === CLOSE) return undefined;
  }

  return undefined;
}
