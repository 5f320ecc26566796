import { refuse } from '../errors.js';
import type { Spelling } from '../syntax/usual.js';
import { escapeItem } from '../syntax/list.js';

/** Whether a text holds half a surrogate pair, which cannot travel in a URL. */
export function hasLoneSurrogate(text: string): boolean {
  return /[\ud800-\udfff]/u.test(text);
}

/** A name that is valid and contains no delimiter, nor the beginning of one at its end. */
export function printName(name: unknown, parameter: string, delimiter: string, other = delimiter): string {
  return typeof name === 'string' &&
    name &&
    !hasLoneSurrogate(name) &&
    !hasDelimiter(name, delimiter) &&
    !hasDelimiter(name, other)
    ? name
    : refuse(`Invalid ${parameter} field. Name expected`);
}

/** Prints a list of names; of none, the empty text. */
export function printNames(names: unknown, parameter: string, language: Spelling, delim: string): string {
  let text = '';
  for (const name of Array.isArray(names) ? (names as unknown[]) : [names]) {
    // The first name must not look like a condition of a join.
    const given = text || !/^on\[\d+\]=/.test(String(name)) ? name : '';
    text += (text && language.delimStr) + printName(given, parameter, language.delimStr, delim);
  }

  return text;
}

/** Whether a name contains a delimiter, or ends in the beginning of one. */
function hasDelimiter(name: string, delimiter: string): boolean {
  return (name + delimiter).indexOf(delimiter) < name.length;
}

/** One value: a text as it is, a date in ISO 8601. As an item of a list, its delimiter is escaped. */
export function printValue(value: unknown, delimStr: string): string {
  // An invalid date has no JSON.
  const plain: unknown = value instanceof Date ? value.toJSON() : value;
  if (typeof plain !== 'string')
    return /^(boolean|bigint)$/.test(typeof plain) || Number.isFinite(plain) ? String(plain) : '';

  return hasLoneSurrogate(plain) ? '' : delimStr ? escapeItem(plain, delimStr) : plain;
}
