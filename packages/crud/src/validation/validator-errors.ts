import type { ValidationError } from '@nestjs/common';
import type { RuleOptions } from './applicable-rules.js';
import { classValidator } from '../nest/optional-peers.js';

/** An error while it is put together; it may turn out to say nothing. */
export type ErrorDraft = ValidationError & { children: ErrorDraft[]; constraints: Record<string, string> };

/** Begins the error of a property. */
export type DraftError = (target: object, value: unknown, property: string | undefined) => ErrorDraft;

/** What an error shows beside its texts, the options decide. */
export function errorDrafter({ validationError = {} }: RuleOptions): DraftError {
  const { target: withTarget = true, value: withValue = true } = validationError;

  return (target, value, property) =>
    Object.assign(new classValidator!.ValidationError(), withTarget && { target }, withValue && { value }, {
      property,
      children: [],
      constraints: {},
    }) as ErrorDraft;
}

/** The errors that say something. */
export function finishedErrors(errors: readonly ErrorDraft[]): ValidationError[] {
  return errors.filter((error) => {
    const { constraints } = error;
    error.children = finishedErrors(error.children) as ErrorDraft[];
    if (Object.keys(constraints).length > 0) return true;

    Reflect.deleteProperty(error, 'constraints');

    return error.children.length > 0;
  });
}
