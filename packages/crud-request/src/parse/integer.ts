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
import { checkInteger, type ParameterDescriptor } from '../syntax/parameters.js';
import type { ParseContext } from './parse-context.js';

export function parseInteger(text: string, row: ParameterDescriptor, { parameter }: ParseContext): number {
  const value = checkInteger(row, /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : NaN, { parameter, position: 0 });

  // No negative zero.
  return value || 0;
}
