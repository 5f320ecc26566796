/** A parsed query in, the same query and its condition out, every name of it checked; refuses what is unknown or forbidden, or leaves it out where the options say so. */
import {
  type ConditionNode,
  type ParsedQuery,
  printSearch,
  type QueryJoin,
  type SCondition,
  visitComparisons,
  speakable,
} from '@nestwright/crud-request';
import { crudError } from '../errors/errors.js';
import { typeJsonFilter, typeJsonKeys } from './json-keys.js';
import type { Permissions } from './permissions.js';

/** A query in which every name is permitted. */
export interface AuthorizedQuery {
  readonly fields: string[];
  readonly join: QueryJoin[];
  /** The client's condition; undefined where there is none. */
  readonly condition?: SCondition;
}

/** Checks the names of a query. */
export function authorize(
  parsed: ParsedQuery,
  permissions: Permissions,
  unknown: 'error' | 'ignore' = 'error',
): AuthorizedQuery {
  const compare = (field: string, parameter: string) => {
    if (!permissions.mayCompare(field)) throw unknownField(field, parameter);
  };

  if (parsed.search === undefined) {
    for (const { field } of parsed.filter) compare(field, 'filter');
    for (const { field } of parsed.or) compare(field, 'or');
  } else if (parsed.condition) visitComparisons(parsed.condition, ({ field }) => compare(field, 's'));
  for (const { field } of parsed.sort) compare(field, 'sort');
  for (const { on = [] } of parsed.join) for (const { field } of on) compare(field, 'join');

  const { condition } = parsed;

  return {
    fields: permitted(
      parsed.fields,
      (name) => permissions.maySelect(name),
      'fields',
      unknown,
      () => permissions.keyOf(),
    ),
    join: permittedJoins(parsed.join, permissions, unknown),
    ...(condition && {
      condition: printSearch(parsed.search === undefined ? typed(condition, permissions) : condition),
    }),
  };
}

function typed(condition: ConditionNode, permissions: Permissions): ConditionNode {
  return typeJsonKeys(condition, (field) => permissions.isJsonKey(field));
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
      throw crudError('CRUD_UNKNOWN_RELATION', { field: speakable(field) ?? 'join' });
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

/** The names that may be selected. Where all are left out, the key is selected, since no names would mean all. */
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

function unknownField(name: string, parameter: string): Error {
  return crudError('CRUD_UNKNOWN_FIELD', { field: speakable(name) ?? parameter });
}
