import { LARGEST } from '../syntax/integers.js';

const DATE = /^(\d{4}(?:-\d\d){2})(T(?:\d\d:){2}\d\d(?:\.\d+)?(Z|[-+].{5})?)?$/;

/**
 * What a text says: a number, boolean, null or quoted text of JSON, a date of ISO 8601, else itself. A number that
 * would be printed otherwise (`007`, `1.50`) stays text, and so does a whole number beyond 2^53. Of a list, what each
 * item says; what is no text stays as it is.
 *
 * @example
 * typeValue(['5', '007', 'true', '2024-01-31']); // [5, '007', true, new Date('2024-01-31')]
 */
export function typeValue(value: unknown): unknown {
  return Array.isArray(value) ? value.map(typeValue) : typeof value === 'string' ? typeText(value) : value;
}

function typeText(text: string): unknown {
  const number = Number(text);
  if (String(number) === text && Math.abs(number) <= LARGEST) return number;

  const [isDate, day = '', time, offset] = DATE.exec(text) ?? [];
  if (isDate) {
    // A time without offset is UTC.
    const date = new Date(time && !offset ? `${text}Z` : text);
    // JavaScript reads February 30 as March 1.
    return date.toJSON() && new Date(day).toJSON()?.startsWith(day) ? date : text;
  }
  if (/^(true|false|null|".*")$/.test(text)) {
    try {
      return JSON.parse(text);
    } catch {
      // Not every text in quotes is JSON.
    }
  }

  return text;
}
