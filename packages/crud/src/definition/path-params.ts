/** What the option `params` says of a resource's paths. */
import type { ParamsOptions } from '@nestwright/crud-request';

/** A path parameter, and the field that it equals. */
export interface PathParam {
  readonly name: string;
  readonly field: string;
  readonly primary: boolean;
}

/** The parameters in the paths of routes of one record (`single`), or of all other routes. */
export function listPathParams(params: ParamsOptions, single: boolean): PathParam[] {
  return Object.entries(params).flatMap(([name, { field = name, primary = false, disabled }]) =>
    disabled || (primary && !single) ? [] : [{ name, field, primary }],
  );
}

/** The parameters that name one record. */
export function keyParams(params: ParamsOptions = {}): PathParam[] {
  return listPathParams(params, true).filter(({ primary }) => primary);
}
