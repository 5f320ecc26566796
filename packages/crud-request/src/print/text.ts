/** Names and values come in, their percent-encoded texts go out; `undefined` for a name that holds a delimiter, an empty text, half a surrogate pair and what is no value. */
import { refuse } from '../errors.js';
import { escapeItem } from '../syntax/escape.js';

// Needs no escape, no encoding and no look for delimiters: so are nearly all names and values, and to see it is cheaper than any of these.
const PLAIN = /^[a-z\d.]+$/i;

/** A text, percent-encoded; empty for half a surrogate pair, which cannot travel in a URL. */
export function encode(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return '';
  }
}

/** A name, once it is sure that none of the delimiters is read in it, or begins in it. */
export function printName(name: unknown, parameter: string, delimiter: string, other = delimiter): string {
  const code =
    typeof name === 'string'
      ? PLAIN.test(name)
        ? name
        : !reads(name, delimiter) && !reads(name, other) && encode(name)
      : '';

  return code || refuse(`Invalid ${parameter} field. Name expected`);
}

/** Whether a delimiter is read in a name, or begins in it. */
function reads(name: string, delimiter: string): boolean {
  return (name + delimiter).indexOf(delimiter) < name.length;
}

/** One value: a text as it stands, a date in ISO 8601. As an item of a list, its delimiter is escaped. */
export function printValue(value: unknown, delimStr: string): string {
  // An invalid date has no JSON.
  const plain: unknown = value instanceof Date ? value.toJSON() : value;
  const text =
    typeof plain === 'string'
      ? plain
      : /^(boolean|bigint)$/.test(typeof plain) || Number.isFinite(plain)
        ? String(plain)
        : '';

  return PLAIN.test(text) ? text : encode(delimStr ? escapeItem(text, delimStr) : text);
}
