import type { OperatorDescriptor } from '@nestwright/crud-request';

/** The names of operators as a message lists them, each followed by its variant that ignores case. */
export function listOperators(operators: Iterable<OperatorDescriptor>): string[] {
  return [...operators].flatMap(({ name, foldable }) => (foldable ? [name, `${name}L`] : [name]));
}
