/**
 * V8 keeps a text that was put together as its parts, which take several times its memory, until somebody looks into it; a look whose answer is of no use might be saved.
 *
 * @example
 * const kept = flatText(head + rows.join(', '));
 */
export function flatText(text: string): string {
  return Number.isNaN(text.charCodeAt(0)) ? '' : text;
}

/** The same text with memory of its own: V8 keeps a part of a text as a view of the whole, which it retains. */
export function ownText(text: string): string {
  return Buffer.from(text).toString();
}
