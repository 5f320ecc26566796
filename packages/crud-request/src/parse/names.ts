/**
 * Parses a list of names.
 *
 * @grammar
 * fields = name { delimStr name } ;
 * name   = character { character } ;               (* neither delim nor delimStr; no escapes *)
 */
import { cut } from '../syntax/list.js';
import { bound, type ParseContext, refuseText } from './parse-context.js';

/** Appends the names in a text to a list. */
export function parseNames(text: string, names: string[], context: ParseContext): void {
  let at = 0;
  do {
    const [name, next] = cut(text, context.language.delimStr, at);
    parseName(name, at, context);
    bound(context, at, names.push(name), 'listValues');
    at = next;
  } while (at);
}

/** Refuses a name that is empty or too long. */
export function parseName(name: string, at: number, context: ParseContext): void {
  if (!name) refuseText(context, at, `Invalid ${context.parameter} field. Name expected`);

  bound(context, at, name.length, 'valueLength');
}
