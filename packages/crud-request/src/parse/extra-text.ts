/** A text of the application's own parameters comes in, what it says goes out. */

const DATE = /^\d{4}(?:-\d\d){2}(T(?:\d\d:){2}\d\d(?:\.\d+)?(Z|[-+].{5})?)?$/;

/** What a text of the application's own says: a number, boolean, null or quoted text of JSON, a date of ISO 8601, else itself. */
export function readExtra(text: string): unknown {
  const [isDate, time, offset] = DATE.exec(text) ?? [];
  if (isDate) {
    // A time without offset is UTC.
    const date = new Date(time && !offset ? `${text}Z` : text);
    return Number.isNaN(date.getTime()) ? text : date;
  }
  try {
    const value: unknown = JSON.parse(text);
    // Digits that a number would lose stay text, as do lists and objects.
    return typeof value === 'number' ? (String(value) === text ? value : text) : Object(value) === value ? text : value;
  } catch {
    return text;
  }
}
