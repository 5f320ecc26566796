/** Filters of react-admin as conditions of the query language. */
type Condition = [field: string, operator: string, value?: unknown];

/**
 * All conditions of a filter. A value without an operator is looked for in a text, is one of a list, or equals a number
 * or boolean; `field||$operator` names another one. What is empty is no condition.
 *
 * @example
 * conditionsOf({ title: 'plan', status: ['todo', 'doing'], 'points||$gte': 3, assignee: { name: 'Ada' } });
 */
export function conditionsOf(filter: object, prefix = ''): Condition[] {
  return Object.entries(filter).flatMap(([name, value]: [string, unknown]): Condition[] => {
    const [field = '', operator] = (prefix + name).split('||');

    if (value === undefined || value === '') return [];
    if (operator !== undefined) return [[field, operator.startsWith('$') ? operator : `$${operator}`, value]];
    if (value === null) return [[field, '$isnull']];
    if (Array.isArray(value)) return value.length > 0 ? [[field, '$in', value]] : [];
    if (value instanceof Date) return [[field, '$eq', value]];
    if (typeof value === 'object') return conditionsOf(value, `${field}.`);

    return [[field, typeof value === 'string' ? '$contL' : '$eq', value]];
  });
}
