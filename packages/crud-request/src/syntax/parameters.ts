/** The one table of query parameters: names, aliases and shape; read by builder, parser and the generated API description. A number that a parameter does not take is refused. */
import { type QueryErrorPlace, refuse } from '../errors.js';

/** A query parameter by its meaning, whatever it is called in a request. */
export type ParameterName =
  | 'fields'
  | 'search'
  | 'filter'
  | 'or'
  | 'join'
  | 'sort'
  | 'limit'
  | 'offset'
  | 'page'
  | 'cache'
  | 'includeDeleted'
  | 'extra';

/** One row of {@link QUERY_PARAMETERS}. */
export interface ParameterDescriptor {
  readonly name: ParameterName;
  /** What it is called in a request; the builder prints the first. `extra` is a prefix. */
  readonly names: readonly string[];
  /** `list`: may be repeated, its values concatenate; `scalar`: sent at most once. */
  readonly kind: 'list' | 'scalar';
  /** What its values are: text in the language of this package, a whole number, or JSON. */
  readonly type: 'text' | 'integer' | 'json';
  /** Smallest and largest whole number. */
  readonly minimum?: number;
  readonly maximum?: number;
}

const LARGEST = 2 ** 53 - 1;

const list = (name: ParameterName, ...names: readonly string[]): ParameterDescriptor => ({
  name,
  names,
  kind: 'list',
  type: 'text',
});

const integer = (minimum: number, maximum: number, ...names: [ParameterName, ...string[]]): ParameterDescriptor => ({
  ...list(names[0], ...names),
  kind: 'scalar',
  type: 'integer',
  minimum,
  maximum,
});

/**
 * Every parameter of the query language, under its default names.
 *
 * @example
 * QUERY_PARAMETERS.limit.names; // ['limit', 'per_page']
 */
export const QUERY_PARAMETERS: Readonly<Record<ParameterName, ParameterDescriptor>> = {
  fields: list('fields', 'fields', 'select'),
  search: { ...list('search', 's'), kind: 'scalar', type: 'json' },
  filter: list('filter', 'filter'),
  or: list('or', 'or'),
  join: list('join', 'join'),
  sort: list('sort', 'sort'),
  limit: integer(1, LARGEST, 'limit', 'per_page'),
  offset: integer(0, LARGEST, 'offset'),
  page: integer(1, LARGEST, 'page'),
  cache: integer(0, LARGEST, 'cache'),
  includeDeleted: integer(0, 1, 'includeDeleted', 'include_deleted'),
  extra: list('extra', 'extra.'),
};

/**
 * Refuses what is not a whole number that a parameter takes.
 *
 * @param isNumber whether it is a number at all, for the message
 */
export function checkInteger(
  { name, minimum = 0, maximum = LARGEST }: ParameterDescriptor,
  value: number,
  isNumber: boolean,
  place?: QueryErrorPlace,
): number {
  if (!isNumber || !Number.isInteger(value) || value < minimum || value > maximum) {
    const expected = !isNumber ? 'Number' : maximum === 1 ? '0 or 1' : `Integer of at least ${minimum}`;
    refuse(
      `Invalid ${name}. ${expected} expected`,
      /^(limit|offset|page)$/.test(name) ? 'CRUD_INVALID_PAGINATION' : 'CRUD_INVALID_QUERY',
      place,
    );
  }

  return value;
}
