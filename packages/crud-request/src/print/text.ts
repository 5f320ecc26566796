import { refuse } from '../errors.js';
import { escapeItem } from '../syntax/escape.js';

/** Whether a text holds half a surrogate pair, which cannot travel in a URL. */
export function hasLoneSurrogate(text: string): boolean {
  return /[\ud800-\udfff]/u.test(text);
}

/** A name, once it is sure that none of the delimiters is read in it, or begins in it. */
export function printName(name: unknown, parameter: string, delimiter: string, other = delimiter): string {
  return typeof name === 'string' && name && !hasLoneSurrogate(name) && !reads(name, delimiter) && !reads(name, other)
    ? name
    : refuse(`Invalid ${parameter} field. Name expected`);
}

/** Whether a delimiter is read in a name, or begins in it. */
function reads(name: string, delimiter: string): boolean {
  return (name + delimiter).indexOf(delimiter) < name.length;
}

/** One value: a text as it stands, a date in ISO 8601. As an item of a list, its delimiter is escaped. */
export function printValue(value: unknown, delimStr: string): string {
  // An invalid date has no JSON.
  const plain: unknown = value instanceof Date ? value.toJSON() : value;
  if (typeof plain !== 'string') {
    return /^(boolean|bigint)$/.test(typeof plain) || Number.isFinite(plain) ? String(plain) : '';
  }

  return hasLoneSurrogate(plain) ? '' : delimStr ? escapeItem(plain, delimStr) : plain;
}
