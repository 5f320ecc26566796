import type { ValidationPipeOptions } from '@nestjs/common';
import { isPlainObject, merged } from './plain-objects.js';

/** Options of Nest's `ValidationPipe`, and what is checked of columns. */
export interface CrudValidationOptions extends ValidationPipeOptions {
  /**
   * Which types and lengths of columns hold for bodies, conditions and keys: `declared` are those that `@Column()` names, `all` also those that TypeORM assumes where it names none.
   * Entities over existing tables often assume an integer where the table has a DECIMAL. Default: `all`.
   */
  columns?: 'all' | 'declared';
}

/** Options of validation, or `false` if the library does not validate. */
export type ValidationOptions = Readonly<CrudValidationOptions> | false;

/** Merges levels option by option; `false` discards the levels before it. */
export function mergedValidation(...levels: readonly (ValidationOptions | undefined)[]): ValidationOptions {
  return levels.reduce<ValidationOptions>((under, over) => {
    if (over === undefined) return under;

    return isPlainObject(under) && isPlainObject(over) ? merged(under, over) : over;
  }, {});
}
