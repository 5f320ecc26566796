/** A text up to a delimiter, and the offset behind it; 0 where no delimiter follows. */
export function cut(text: string, delimiter: string, from = 0): [part: string, next: number] {
  const at = text.indexOf(delimiter, from);

  return at < 0 ? [text.slice(from), 0] : [text.slice(from, at), at + delimiter.length];
}
