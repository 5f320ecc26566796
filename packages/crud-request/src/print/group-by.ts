import { refuse } from '../errors.js';
import { isAggregateFunction, isAlias } from '../syntax/aggregates.js';
import type { Spelling } from '../syntax/usual.js';
import { printName } from './text.js';

/** Prints one group: a field, or a field and its name. */
export function printGroup(group: string | readonly [string, string?], language: Spelling): string {
  const [field, alias] = typeof group === 'string' ? [group] : group;

  return printName(field, 'groupBy', language.delim, language.delimStr) + printAlias(alias, language);
}

/** Prints one function: its name, its field, its key. */
export function printAggregate([name, field, alias]: readonly [string, string, string?], language: Spelling): string {
  if (!isAggregateFunction(name)) refuse(`Unknown function ${String(name)}`);

  return name + language.delim + printName(field, 'aggregate', language.delim) + printAlias(alias, language);
}

/** The key of a group or function, if it is given one that is not its own. */
function printAlias(alias: string | undefined, { delim }: Spelling): string {
  if (alias === undefined) return '';

  return isAlias(alias) ? delim + alias : refuse('Invalid name of a group or function');
}
