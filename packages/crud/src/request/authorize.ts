/** Checks every name of a parsed query. An unknown or forbidden one is refused, or left out if the options say so. */
import {
  type ConditionNode,
  findOperator,
  OPERATOR_MEANINGS,
  type ParsedQuery,
  printSearch,
  type QueryFilter,
  type QueryJoin,
  type SCondition,
  speakable,
  visitComparisons,
} from '@nestwright/crud-request';
import type { QueryOptions } from '../definition/query-options.js';
import { crudError } from '../errors.js';
import type { Permissions } from './permissions.js';

/** A query in which every name is permitted. */
export interface AuthorizedQuery {
  readonly fields: string[];
  readonly join: QueryJoin[];
  /** The client's condition; undefined if there is none. */
  readonly condition?: SCondition;
}

export function authorize(
  parsed: ParsedQuery,
  /** Of a request without joins. */
  unjoined: Permissions,
  unknown: 'error' | 'ignore' = 'error',
): AuthorizedQuery {
  const { search, condition, fields, join } = parsed;
  const permissions = join.length === 0 ? unjoined : unjoined.withJoins(join);
  authorizeComparisons(parsed, permissions);

  return {
    fields: keepPermitted(fields, 'fields', permissions, unknown),
    join: keepPermittedJoins(join, permissions, unknown),
    ...(condition && {
      condition: printSearch(search === undefined ? typeJsonKeys(condition, permissions) : condition),
    }),
  };
}

/** Refuses a name in a condition or a sort that may not be compared. */
function authorizeComparisons(parsed: ParsedQuery, permissions: Permissions): void {
  const { search, condition, filter, or, groupBy, aggregate, sort, join } = parsed;
  const compare = (field: string, parameter: string): void => {
    if (!permissions.mayCompare(field))
      throw unknownField(field, parameter, suggestName(field, parameter, permissions));
  };

  if (search === undefined) {
    for (const { field } of filter) compare(field, 'filter');
    for (const { field } of or) compare(field, 'or');
  } else if (condition) {
    visitComparisons(condition, ({ field }) => compare(field, 's'));
  }
  if (groupBy !== undefined || aggregate !== undefined) requireAggregates(parsed, permissions);
  // Rows of aggregates are sorted by their own keys.
  else for (const { field } of sort) compare(field, 'sort');
  for (const { on = [] } of join) for (const { field } of on) compare(field, 'join');
}

function requireAggregates({ groupBy = [], aggregate = [] }: ParsedQuery, permissions: Permissions): void {
  for (const { field, unit } of groupBy) if (!permissions.mayGroup(field, unit)) throw unknownField(field, 'groupBy');

  for (const { function: name, field } of aggregate)
    if (!permissions.mayAggregate(name, field)) throw unknownField(field, 'aggregate');
}

/**
 * A cursor reveals the values that a list is sorted by, the key included, so none of them may be hidden or transformed
 * in answers.
 */
export function requireShownSort(
  { sort }: ParsedQuery,
  query: Pick<QueryOptions, 'sort'>,
  permissions: Permissions,
): void {
  const sorted = (sort.length > 0 ? sort : (query.sort ?? [])).map(({ field }) => field);
  const refuse = (message: string, field: string): never => {
    throw crudError('CRUD_INVALID_QUERY', { message, field: speakable(field) ?? 'sort' });
  };

  for (const field of sorted) {
    if (!permissions.mayShow(field))
      refuse('Cannot sort by this field with a cursor: answers hide or transform it', field);
  }
  for (const field of permissions.listKeyPaths())
    if (!permissions.mayShow(field)) refuse('Cannot read by a cursor: answers hide or transform the key', field);
}

function keepPermittedJoins(
  joins: readonly QueryJoin[],
  permissions: Permissions,
  unknown: 'error' | 'ignore',
): QueryJoin[] {
  const kept: QueryJoin[] = [];
  for (const join of joins) {
    const { field, select, on } = join;
    if (permissions.mayJoin(field)) {
      kept.push({
        ...join,
        ...(select && { select: keepPermitted(select, 'join', permissions, unknown, field) }),
        ...(on && { on: on.map((filter) => typeJsonFilter(filter, permissions)) }),
      });
    } else if (unknown === 'error') {
      throw crudError('CRUD_UNKNOWN_RELATION', {
        message: withSuggestion('Unknown relation', permissions.findRelationsBySuffix(field)),
        field: speakable(field) ?? 'join',
      });
    }
  }

  return kept;
}

/**
 * The names that may be selected, of the root or of a relation. If all are left out, the key is selected, since an
 * empty list would mean all fields.
 */
function keepPermitted(
  names: readonly string[],
  parameter: string,
  permissions: Permissions,
  unknown: 'error' | 'ignore',
  relation?: string,
): string[] {
  const kept: string[] = [];
  for (const name of names) {
    if (permissions.maySelect(name, relation)) kept.push(name);
    else if (unknown === 'error') throw unknownField(name, parameter);
  }

  return kept.length === 0 && names.length > 0 ? [...permissions.listKeyPaths(relation)] : kept;
}

/** What a client may have meant; only what it may name is suggested. */
function suggestName(name: string, parameter: string, permissions: Permissions): string | undefined {
  const descends = parameter === 'sort' && name.startsWith('-') && permissions.mayCompare(name.slice(1));
  const meant = speakable(descends ? name.slice(1) : permissions.findFullName(name));

  return meant && descends ? `${meant},DESC` : meant;
}

function unknownField(name: string, parameter: string, suggested?: string): Error {
  return crudError('CRUD_UNKNOWN_FIELD', {
    message: withSuggestion('Unknown field', suggested ? [suggested] : []),
    field: speakable(name) ?? parameter,
  });
}

function withSuggestion(message: string, suggested: readonly string[]): string {
  return suggested.length === 0 ? message : `${message}. Did you mean ${suggested.join(' or ')}?`;
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Gives the values that `filter` and `or`, which have no `$not`, compare with JSON keys the types that JSON has; texts
 * stay what `s` alone can force (`{"settings.zip": "01234"}`).
 */
function typeJsonKeys(node: ConditionNode, permissions: Pick<Permissions, 'isJsonKey'>): ConditionNode {
  switch (node.kind) {
    case 'and':
    case 'or':
      return { kind: node.kind, items: node.items.map((item) => typeJsonKeys(item, permissions)) };
    case 'comparison':
      if (OPERATOR_MEANINGS[node.operator.name].kind !== 'comparison' || !permissions.isJsonKey(node.field))
        return node;
      return { ...node, value: typeTexts(node.value) };
    default:
      return node;
  }
}

/** {@link typeJsonKeys} for one filter, such as the condition of a join. */
export function typeJsonFilter(filter: QueryFilter, permissions: Pick<Permissions, 'isJsonKey'>): QueryFilter {
  const found = findOperator(filter.operator);
  const isCompared = found && OPERATOR_MEANINGS[found.operator.name].kind === 'comparison';

  return isCompared && permissions.isJsonKey(filter.field) ? { ...filter, value: typeTexts(filter.value) } : filter;
}

function typeTexts(value: unknown): unknown {
  return Array.isArray(value) ? value.map(typeText) : typeText(value);
}

function typeText(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (value === 'true' || value === 'false') return value === 'true';

  return NUMBER.test(value) && Number.isFinite(Number(value)) ? Number(value) : value;
}
