/** Entries of a query come in, the query string goes out: repeated keys, in the order of the entries. */

/**
 * Prints a query string. Undefined and null entries are left out.
 *
 * @param encode whether keys and values are percent-encoded; without it, whoever sends the text must do so
 */
export function printQueryString(
  entries: Readonly<Record<string, unknown>>,
  encode: boolean,
  hidden: readonly string[],
): string {
  const code = encode ? encodeURIComponent : String;
  let text = '';
  for (const key of Object.keys(entries)) {
    if (hidden.includes(key)) {
      continue;
    }
    const value = entries[key];
    // Plain words, and numbers, are what they are when encoded.
    const name = `${/^\w+$/.test(key) ? key : code(key)}=`;
    for (const item of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (item !== undefined && item !== null) {
        text += (text && '&') + name + (typeof item === 'number' ? item : code(String(item)));
      }
    }
  }

  return text;
}
