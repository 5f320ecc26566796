/** Refine's filters as a condition of the query language. */
import type { SCondition } from '@nestwright/crud-request';
import type { CrudFilter, CrudFilters, CrudOperators } from '@refinedev/core';

/** The query language's operators by refine's; those in `NEGATED` hold where these do not. */
const OPERATORS: Partial<Record<CrudOperators, string>> = {
  eq: '$eq',
  eqs: '$eq',
  ne: '$ne',
  nes: '$ne',
  lt: '$lt',
  gt: '$gt',
  lte: '$lte',
  gte: '$gte',
  in: '$in',
  nin: '$notin',
  ina: '$contArr',
  contains: '$contL',
  ncontains: '$exclL',
  containss: '$cont',
  ncontainss: '$excl',
  between: '$between',
  null: '$isnull',
  nnull: '$notnull',
  startswith: '$startsL',
  startswiths: '$starts',
  endswith: '$endsL',
  endswiths: '$ends',
};

const NEGATED: Partial<Record<CrudOperators, CrudOperators>> = {
  nina: 'ina',
  nbetween: 'between',
  nstartswith: 'startswith',
  nstartswiths: 'startswiths',
  nendswith: 'endswith',
  nendswiths: 'endswiths',
};

/**
 * One condition for all filters; undefined if there are none. Filters without a value are none.
 *
 * @example
 * conditionOf([{ field: 'title', operator: 'contains', value: 'plan' }]); // { $and: [{ title: { $contL: 'plan' } }] }
 * @throws Error for an operator that the query language does not have
 */
export function conditionOf(filters: CrudFilters = []): SCondition | undefined {
  const conditions = convertAll(filters);

  return conditions.length > 0 ? { $and: conditions } : undefined;
}

function convertAll(filters: CrudFilters): SCondition[] {
  return filters.map(convert).filter((condition) => condition !== undefined);
}

function convert(filter: CrudFilter): SCondition | undefined {
  const { operator } = filter;

  if (operator === 'and' || operator === 'or') {
    const conditions = convertAll(filter.value as CrudFilters);
    if (conditions.length === 0) return undefined;

    return operator === 'or' ? { $or: conditions } : { $and: conditions };
  }

  const { field, value } = filter as { readonly field: string; readonly value: unknown };
  if (value === undefined || value === '') return undefined;
  const negated = NEGATED[operator];

  return negated ? { $not: comparison(field, negated, value) } : comparison(field, operator, value);
}

function comparison(field: string, operator: CrudOperators, value: unknown): SCondition {
  const name = OPERATORS[operator];
  if (!name) throw new Error(`No operator of a query does what "${operator}" does`);

  return { [field]: { [name]: name.endsWith('null') ? true : (value as never) } };
}
