/** One item with its backslashes and every first character of the delimiter escaped: for a delimiter of several characters too, no item can then run into one. */
export function escapeItem(item: string, delimiter: string): string {
  return item.replaceAll('\\', '\\\\').replaceAll(delimiter.charAt(0), '\\$&');
}
