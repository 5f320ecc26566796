/** The one table of query parameters: names, aliases and shape; read by parser and the generated API description. */
import { type IntegerName, LARGEST, RANGES } from './integers.js';
import { type ParameterName, USUAL } from './usual.js';

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

const text = (name: ParameterName, ...names: readonly string[]): ParameterDescriptor => ({ name, names });

const integer = (name: IntegerName, ...others: readonly string[]): ParameterDescriptor => {
  const [minimum, maximum = LARGEST] = RANGES[name];

  return { ...text(name, name, ...others), minimum, maximum };
};

/**
 * Every parameter of the query language, under its default names.
 *
 * @example
 * QUERY_PARAMETERS.limit.names; // ['limit', 'per_page']
 */
export const QUERY_PARAMETERS: Readonly<Record<ParameterName, ParameterDescriptor>> = /* @__PURE__ */ (() => ({
  fields: text('fields', 'fields', 'select'),
  search: text('search', ...USUAL.names.search),
  filter: text('filter', 'filter'),
  or: text('or', 'or'),
  join: text('join', 'join'),
  sort: text('sort', 'sort'),
  limit: integer('limit', 'per_page'),
  offset: integer('offset'),
  page: integer('page'),
  cache: integer('cache'),
  includeDeleted: integer('includeDeleted', 'include_deleted'),
  cursor: text('cursor', 'cursor'),
  total: integer('total'),
  format: text('format', 'format'),
  groupBy: text('groupBy', 'groupBy'),
  aggregate: text('aggregate', 'aggregate'),
  having: text('having', 'having'),
  extra: text('extra', 'extra.'),
}))();
