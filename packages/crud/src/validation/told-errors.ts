/** What is wrong with a property in, class-validator's errors out, while they are put together and when they are complete; refuses nothing. */
import type { ValidationError } from '@nestjs/common';
import type { RuleOptions } from './asked-rules.js';
import { classValidator } from '../nest/optional-peers.js';

/** An error while it is put together; it may turn out to say nothing. */
export type Told = ValidationError & { children: Told[]; constraints: Record<string, string> };

/** Begins the error of a property. */
export type Tells = (target: object, value: unknown, property: string | undefined) => Told;

/** What an error shows beside its texts, the options decide. */
export function tellsErrors({ validationError = {} }: RuleOptions): Tells {
  const { target: withTarget = true, value: withValue = true } = validationError;

  return (target, value, property) =>
    Object.assign(new classValidator!.ValidationError(), withTarget && { target }, withValue && { value }, {
      property,
      children: [],
      constraints: {},
    }) as Told;
}

/** The errors that say something. */
export function errorsTold(errors: readonly Told[]): ValidationError[] {
  return errors.filter((error) => {
    const { constraints } = error;
    error.children = errorsTold(error.children) as Told[];
    if (Object.keys(constraints).length > 0) return true;

    Reflect.deleteProperty(error, 'constraints');

    return error.children.length > 0;
  });
}
