import type { QueryLanguage } from '../syntax/language.js';
import { printName } from './text.js';

/** Prints a list of names; of none, the empty text. */
export function printNames(names: unknown, parameter: string, language: QueryLanguage, delim: string): string {
  let text = '';
  for (const name of Array.isArray(names) ? (names as unknown[]) : [names]) {
    // The first cannot begin as the conditions of a join do.
    const given = text || !/^on\[\d+\]=/.test(String(name)) ? name : '';
    text += (text && language.delimStr) + printName(given, parameter, language.delimStr, delim);
  }

  return text;
}
