/**
 * The one table of query parameters: names, aliases and shape; read by builder, parser and the generated API
 * description. A number that a parameter does not take is refused.
 */
import { type QueryErrorPlace, refuse } from '../errors.js';
import type { QueryLanguageOptions } from '../types/language-options.js';

/** A query parameter by its meaning, whatever it is called in a request. */
export type ParameterName = keyof NonNullable<QueryLanguageOptions['paramNamesMap']>;

/** One row of {@link QUERY_PARAMETERS}. */
export interface ParameterDescriptor {
  /** What it means. */
  readonly name: ParameterName;
  /** What it is called in a request; the builder prints the first. `extra` is a prefix. */
  readonly names: readonly string[];
  /** Smallest and largest whole number; without them, it is no number. */
  readonly minimum?: number;
  /** See {@link minimum}. */
  readonly maximum?: number;
}

/** The largest whole number that JSON and every database read alike. */
export const LARGEST = 2 ** 53 - 1;

const text = (name: ParameterName, ...names: readonly string[]): ParameterDescriptor => ({ name, names });

const integer = (minimum: number, maximum: number, ...names: [ParameterName, ...string[]]): ParameterDescriptor => ({
  ...text(names[0], ...names),
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
  fields: text('fields', 'fields', 'select'),
  search: text('search', 's'),
  filter: text('filter', 'filter'),
  or: text('or', 'or'),
  join: text('join', 'join'),
  sort: text('sort', 'sort'),
  limit: integer(1, LARGEST, 'limit', 'per_page'),
  offset: integer(0, LARGEST, 'offset'),
  page: integer(1, LARGEST, 'page'),
  cache: integer(0, LARGEST, 'cache'),
  includeDeleted: integer(0, 1, 'includeDeleted', 'include_deleted'),
  cursor: text('cursor', 'cursor'),
  total: integer(0, 1, 'total'),
  format: text('format', 'format'),
  groupBy: text('groupBy', 'groupBy'),
  aggregate: text('aggregate', 'aggregate'),
  having: text('having', 'having'),
  extra: text('extra', 'extra.'),
};

/** Refuses what is not a whole number that a parameter takes; NaN is what is no number at all. */
export function checkInteger(
  { name, minimum = 0, maximum = LARGEST }: ParameterDescriptor,
  value: number,
  place?: QueryErrorPlace,
): number {
  if (!Number.isInteger(value) || value < minimum || value > maximum) {
    const expected = !Number.isFinite(value) ? 'Number' : maximum === 1 ? '0 or 1' : `Integer of at least ${minimum}`;
    refuse(
      `Invalid ${name}. ${expected} expected`,
      /^(limit|offset|page)$/.test(name) ? 'CRUD_INVALID_PAGINATION' : 'CRUD_INVALID_QUERY',
      place,
    );
  }

  return value;
}
