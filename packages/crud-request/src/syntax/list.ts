/**
 * Items of a list. A backslash before a backslash or before the delimiter's first character is an escape, any other
 * backslash is literal. Reads no further than `most` items and then returns `undefined`.
 *
 * @example
 * splitList('a\\,b,c', ',', 10); // ['a,b', 'c']
 */
export function splitList(text: string, delimiter: string, most: number): string[] | undefined {
  const items: string[] = [];
  let item = '';
  let rest = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\' && (text[at + 1] === '\\' || text[at + 1] === delimiter[0])) {
      item += text.slice(rest, at);
      rest = at += 1;
    } else if (text[at] === delimiter[0] && text.startsWith(delimiter, at)) {
      if (items.push(item + text.slice(rest, at)) >= most) return undefined;

      item = '';
      rest = at + delimiter.length;
      at = rest - 1;
    }
  }
  items.push(item + text.slice(rest));

  return items;
}

/**
 * One item with its backslashes and every first character of the delimiter escaped: for a delimiter of several
 * characters too, no item can then run into one.
 */
export function escapeItem(item: string, delimiter: string): string {
  return item.replaceAll('\\', '\\\\').replaceAll(delimiter.charAt(0), '\\$&');
}

/** A text up to a delimiter, and the offset behind it; 0 if no delimiter follows. */
export function cut(text: string, delimiter: string, from = 0): [part: string, next: number] {
  const at = text.indexOf(delimiter, from);

  return at < 0 ? [text.slice(from), 0] : [text.slice(from, at), at + delimiter.length];
}
