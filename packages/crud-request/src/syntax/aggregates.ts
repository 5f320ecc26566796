/** How groups, functions and their names are spelt. */
import type { AggregateFunction } from '../types/query.js';

/** A group's field and unit: `createdAt:month`. */
export const UNIT = /^(.*):(day|week|month|quarter|year)$/s;

/** Whether a text is the name of a function. */
export function isAggregateFunction(text: string): text is AggregateFunction {
  return /^(count|countDistinct|sum|avg|min|max)$/.test(text);
}

/** Whether a text may be the key of a group or function. */
export function isAlias(text: string): boolean {
  return /^[a-z][\w.]{0,63}$/i.test(text);
}

/**
 * The key of a function that is given none.
 *
 * @example
 * aggregateName('avg', 'company.price'); // 'avg_company.price'
 */
export function aggregateName(name: AggregateFunction, field: string): string {
  return field === '*' ? name : `${name}_${field}`;
}
