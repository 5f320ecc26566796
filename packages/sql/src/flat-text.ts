/**
 * Flattens a concatenated string, which V8 otherwise keeps as a tree of its parts with several times the memory.
 * Reading a character forces it; the result must be used, or the read could be optimized away.
 */
export function flatText(text: string): string {
  return Number.isNaN(text.charCodeAt(0)) ? '' : text;
}
