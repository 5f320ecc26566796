import type { ValidationPipeOptions } from '@nestjs/common';
import { isPlainObject, merged } from './plain-objects.js';

/** Options of Nest's `ValidationPipe`, or `false` if the library does not validate. */
export type ValidationOptions = Readonly<ValidationPipeOptions> | false;

/** Merges levels option by option; `false` discards the levels before it. */
export function mergedValidation(...levels: readonly (ValidationOptions | undefined)[]): ValidationOptions {
  return levels.reduce<ValidationOptions>((under, over) => {
    if (over === undefined) return under;

    return isPlainObject(under) && isPlainObject(over) ? merged(under, over) : over;
  }, {});
}
