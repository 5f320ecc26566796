/** Checks every name of a parsed query. An unknown or forbidden one is refused, or left out if the options say so. */
import {
  type ParsedQuery,
  printSearch,
  type QueryJoin,
  type SCondition,
  speakable,
  visitComparisons,
} from '@nestwright/crud-request';
import type { QueryOptions } from '../definition/query-options.js';
import { crudError } from '../errors/errors.js';
import { typeJsonFilter, typeJsonKeys } from './json-keys.js';
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
  unjoined: Permissions,
  unknown: 'error' | 'ignore' = 'error',
): AuthorizedQuery {
  const permissions = unjoined.withJoins(parsed.join);
  const compare = (field: string, parameter: string) => {
    if (!permissions.mayCompare(field))
      throw unknownField(field, parameter, suggestName(field, parameter, permissions));
  };

  if (parsed.search === undefined) {
    for (const { field } of parsed.filter) compare(field, 'filter');
    for (const { field } of parsed.or) compare(field, 'or');
  } else if (parsed.condition) {
    visitComparisons(parsed.condition, ({ field }) => compare(field, 's'));
  }
  if (parsed.groupBy !== undefined || parsed.aggregate !== undefined) requireAggregates(parsed, permissions);
  // Rows of aggregates are sorted by their own keys.
  else for (const { field } of parsed.sort) compare(field, 'sort');
  for (const { on = [] } of parsed.join) for (const { field } of on) compare(field, 'join');

  const { condition } = parsed;

  return {
    fields:
      parsed.fields.length === 0
        ? []
        : permitted(
            parsed.fields,
            (name) => permissions.maySelect(name),
            'fields',
            unknown,
            () => permissions.keyOf(),
          ),
    join: parsed.join.length === 0 ? [] : permittedJoins(parsed.join, permissions, unknown),
    ...(condition && {
      condition: printSearch(
        parsed.search === undefined ? typeJsonKeys(condition, (field) => permissions.isJsonKey(field)) : condition,
      ),
    }),
  };
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
  for (const field of permissions.keyOf())
    if (!permissions.mayShow(field)) refuse('Cannot read by a cursor: answers hide or transform the key', field);
}

function permittedJoins(
  joins: readonly QueryJoin[],
  permissions: Permissions,
  unknown: 'error' | 'ignore',
): QueryJoin[] {
  return joins.flatMap((join) => {
    const { field, select, on } = join;
    if (!permissions.mayJoin(field)) {
      if (unknown === 'ignore') return [];
      throw crudError('CRUD_UNKNOWN_RELATION', {
        message: withSuggestion('Unknown relation', permissions.relationsEndingIn(field)),
        field: speakable(field) ?? 'join',
      });
    }

    const maySelect = (name: string) => permissions.maySelectOf(field, name);

    return [
      {
        ...join,
        ...(select && { select: permitted(select, maySelect, 'join', unknown, () => permissions.keyOf(field)) }),
        ...(on && { on: on.map((filter) => typeJsonFilter(filter, (name) => permissions.isJsonKey(name))) }),
      },
    ];
  });
}

/**
 * The names that may be selected. If all are left out, the key is selected, since an empty list would mean all fields.
 */
function permitted(
  names: readonly string[],
  isPermitted: (name: string) => boolean,
  parameter: string,
  unknown: 'error' | 'ignore',
  key: () => readonly string[],
): string[] {
  const kept = names.filter((name) => {
    if (isPermitted(name)) return true;
    if (unknown === 'ignore') return false;
    throw unknownField(name, parameter);
  });

  return kept.length === 0 && names.length > 0 ? [...key()] : kept;
}

/** What a client may have meant; only what it may name is suggested. */
function suggestName(name: string, parameter: string, permissions: Permissions): string | undefined {
  const descends = parameter === 'sort' && name.startsWith('-') && permissions.mayCompare(name.slice(1));
  const meant = speakable(descends ? name.slice(1) : permissions.fullNameOf(name));

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
