/** How messages write values, operators, and names that are misspelt. */
import type { OperatorDescriptor } from '@nestwright/crud-request';

/**
 * The address of a page of the documentation.
 *
 * @example
 * linkTo('startup-errors.md#circular-imports');
 */
export function linkTo(page: string): string {
  return `https://github.com/nestwright/nestwright/blob/main/docs/${page}`;
}

/**
 * The message for what should stand for an entity and does not, usually since a circular import left it undefined.
 *
 * @example
 * if (!is(table, Table)) throw new TypeError(notAModel('the table', table));
 */
export function notAModel(name: string, value: unknown): string {
  return (
    `${name} is ${show(value)}, but must be a class, an EntitySchema or a table. If two files import each other, import ` +
    `it from its own file (${linkTo('startup-errors.md#circular-imports')})`
  );
}

/** A value as a message shows it. */
export function show(value: unknown): string {
  if (typeof value === 'function') return (isClass(value) && value.name) || 'a function';
  if (typeof value === 'bigint' || typeof value === 'symbol' || value === undefined) return String(value);

  try {
    return JSON.stringify(value);
  } catch {
    return typeof value;
  }
}

function isClass(value: object): boolean {
  return Function.prototype.toString.call(value).startsWith('class');
}

/** The names of operators as a message lists them, each followed by its variant that ignores case. */
export function listOperators(operators: Iterable<OperatorDescriptor>): string[] {
  return [...operators].flatMap(({ name, foldable }) => (foldable ? [name, `${name}L`] : [name]));
}

/** The shortest name that another one is taken for a misspelling of: shorter ones are near too many. */
const SHORTEST = 4;

/**
 * The first name that another one differs from by one inserted, deleted, replaced or swapped character.
 *
 * @example
 * findNearName('fliter', ['sort', 'filter']); // 'filter'
 */
export function findNearName(name: string, known: Iterable<string>): string | undefined {
  for (const candidate of known) if (candidate.length >= SHORTEST && isOneEdit(name, candidate)) return candidate;

  return undefined;
}

function isOneEdit(one: string, other: string): boolean {
  if (one === other) return false;

  let same = 0;
  while (one[same] === other[same]) same++;
  const [rest, otherRest] = [one.slice(same), other.slice(same)];
  const replaced = rest.slice(1) === otherRest.slice(1);
  const swapped = rest[0] === otherRest[1] && rest[1] === otherRest[0] && rest.slice(2) === otherRest.slice(2);

  return replaced || swapped || rest.slice(1) === otherRest || rest === otherRest.slice(1);
}
