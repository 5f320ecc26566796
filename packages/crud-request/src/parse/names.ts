/**
 * The text of a list of names comes in, the names go out; an empty or overlong name, and too many, are refused.
 *
 * @grammar
 * fields = name { delimStr name } ;
 * name   = character { character } ;               (* neither delim nor delimStr; no escapes *)
 */
import { cut } from '../syntax/cut.js';
import { bound, type QueryReading, refuseAt } from './reading.js';

/** Appends the names in a text to a list. */
export function parseNames(text: string, names: string[], reading: QueryReading): void {
  let at = 0;
  do {
    const [name, next] = cut(text, reading.language.delimStr, at);
    parseName(name, at, reading);
    bound(reading, at, names.push(name), 'listValues');
    at = next;
  } while (at);
}

/** Refuses a name that is empty or too long. */
export function parseName(name: string, at: number, reading: QueryReading): void {
  if (!name) {
    refuseAt(reading, at, `Invalid ${reading.parameter} field. Name expected`);
  }
  bound(reading, at, name.length, 'valueLength');
}
