/** Names and values come in, their texts go out; a name that holds a delimiter, an empty text, half a surrogate pair and what is no value are refused. */
import { refuse } from '../errors.js';

/** Whether a text can travel in a URL: half a surrogate pair cannot. */
export function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

/** A name, once it is sure that none of the delimiters is read in it, or begins in it. */
export function printName(name: unknown, message: string, delimiter: string, other = delimiter): string {
  if (
    typeof name !== 'string' ||
    !name ||
    !isWellFormed(name) ||
    reads(name, delimiter) ||
    (other !== delimiter && reads(name, other))
  ) {
    refuse(message);
  }

  return name;
}

/** Whether a delimiter is read in a name, or begins in it. Looking for its first character is enough for nearly all names, and fast. */
function reads(name: string, delimiter: string): boolean {
  return name.includes(delimiter.charAt(0)) && (name + delimiter).indexOf(delimiter) < name.length;
}

/** One value: a text as it stands, a date in ISO 8601. */
export function printScalar(value: unknown, message: string, field: string): string {
  // An invalid date has no JSON.
  const plain: unknown = value instanceof Date ? value.toJSON() : value;
  const text =
    typeof plain === 'string'
      ? plain
      : typeof plain === 'boolean' || typeof plain === 'bigint' || Number.isFinite(plain)
        ? String(plain)
        : '';
  if (!text || !isWellFormed(text)) {
    refuse(message, 'CRUD_INVALID_VALUE', { field });
  }

  return text;
}
