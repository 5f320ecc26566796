/** Prints a query string. What is undefined or null is left out; the texts of a list repeat their key, or number it. */
export function printQueryString(entries: Readonly<Record<string, unknown>>, numbered?: boolean): string {
  let text = '';
  for (const key of Object.keys(entries)) {
    const value = entries[key];
    const items = Array.isArray(value) ? (value as unknown[]) : [value];
    for (let index = 0; index < items.length; index++) {
      const item = items[index];
      if (item !== undefined && item !== null) {
        const name = numbered && item !== value ? `${key}[${index}]` : key;
        text += (text && '&') + encode(name) + '=' + encode(String(item));
      }
    }
  }

  return text;
}

/** A text, encoded for a query string. Testing whether it is plain is faster than encoding it. */
function encode(text: string): string {
  return /^\w*$/.test(text) ? text : encodeURIComponent(text);
}
