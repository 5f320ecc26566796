import type { ValidationError } from '@nestjs/common';
import type { RuleOptions } from './applicable-rules.js';
import { classValidator } from '../nest/optional-peers.js';

/** An error under construction; it may end up empty. */
export type ErrorDraft = ValidationError & { children: ErrorDraft[]; constraints: Record<string, string> };

/** Begins the error of a property. */
export type DraftError = (target: object, value: unknown, property: string | undefined) => ErrorDraft;

/** The options decide what an error includes beside its texts. */
export function errorDrafter({ validationError = {} }: RuleOptions): DraftError {
  const { target: withTarget = true, value: withValue = true } = validationError;

  return (target, value, property) =>
    Object.assign(new classValidator!.ValidationError(), withTarget && { target }, withValue && { value }, {
      property,
      children: [],
      constraints: {},
    }) as ErrorDraft;
}

/** The errors that are not empty. */
export function finishedErrors(errors: readonly ErrorDraft[]): ValidationError[] {
  return errors.filter((error) => {
    const { constraints } = error;
    error.children = finishedErrors(error.children) as ErrorDraft[];
    if (Object.keys(constraints).length > 0) return true;

    Reflect.deleteProperty(error, 'constraints');

    return error.children.length > 0;
  });
}
