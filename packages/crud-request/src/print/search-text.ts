import { refuse } from '../errors.js';
import { hasLoneSurrogate, printValue } from './text.js';

/** Prints a search condition as JSON. Undefined members are left out, as JSON does; a bigint becomes its digits. */
export function printSearchText(search: object): string {
  try {
    return JSON.stringify(search, replace);
  } catch {
    return refuse('Invalid search param. JSON expected', 'CRUD_INVALID_SEARCH');
  }
}

/** Throws for a value that would become null, which means IS NULL, or could not travel. */
function replace(this: Record<string, unknown>, key: string, value: unknown): unknown {
  if (
    hasLoneSurrogate(key) ||
    (value !== '' && /^(string|number)$/.test(typeof value) && !printValue(value, '')) ||
    (value === null && this[key] !== null)
  )
    throw value;

  return typeof value === 'bigint' ? String(value) : value;
}
