/** Entries of a query come in, percent-encoded, the query string goes out: repeated keys, in the order of the entries. */

/** Prints a query string. Entries that are undefined or null, and those behind hidden keys, are left out. */
export function printQueryString(entries: Readonly<Record<string, unknown>>, hidden: readonly string[]): string {
  let text = '';
  for (const key of Object.keys(entries)) {
    // Looking is faster than encoding.
    const name = (/^\w+$/.test(key) ? key : encodeURIComponent(key)) + '=';
    const value = entries[key];
    for (const item of hidden.includes(key) ? [] : Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (item !== undefined && item !== null) {
        text += (text && '&') + name + (item as string | number);
      }
    }
  }

  return text;
}

/** An entry with its texts encoded, or decoded; what stands for no text, and numbers, stay as they are. */
export function recode(value: unknown, code: (text: string) => string): unknown {
  return Array.isArray(value)
    ? value.map((item) => recode(item, code))
    : typeof value === 'number' || value === undefined || value === null
      ? value
      : code(String(value));
}
