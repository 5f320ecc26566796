/** Names come in, the text of their list goes out; what is no list, and names that hold a delimiter, are refused. */
import { refuse } from '../errors.js';
import { printName } from './text.js';

/** Prints a list of names; of none, the empty text. */
export function printNames(names: unknown, message: string, delimStr: string, delim = delimStr): string {
  // The last is how the conditions of a join begin.
  if (!Array.isArray(names) || /^on\[\d+\]=/.test(String(names[0]))) {
    refuse(message);
  }

  return names.map((name) => printName(name, message, delimStr, delim)).join(delimStr);
}
