/**
 * Parses a scalar that is a whole number.
 *
 * @grammar
 * limit          = integer ;                       (* at least 1 *)
 * offset         = integer ;                       (* at least 0 *)
 * page           = integer ;                       (* at least 1 *)
 * cache          = integer ;                       (* at least 0 *)
 * includeDeleted = "0" | "1" ;
 * total          = "0" | "1" ;
 * integer        = digits ;                        (* at most 9007199254740991 *)
 */
import { checkInteger, type IntegerName } from '../syntax/integers.js';
import type { ParseContext } from './parse-context.js';

export function parseInteger(text: string, name: IntegerName, { parameter }: ParseContext): number {
  const value = checkInteger(name, /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : NaN, { parameter, position: 0 });

  // No negative zero.
  return value || 0;
}
