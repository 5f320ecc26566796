import type { CustomOperators } from '../types/operators.js';

/** Names alone, names with their options, or a table made of either. */
export type CustomOperatorNames = Iterable<string> | CustomOperators | CustomOperatorTable;

/** What custom operators take, by name, exactly as clients spell it. */
export type CustomOperatorTable = ReadonlyMap<string, 'one' | 'list'>;

/** The lookup table of custom operators. */
export function customOperatorTable(operators: CustomOperatorNames = []): CustomOperatorTable {
  if (operators instanceof Map) return operators as CustomOperatorTable;

  const table = new Map<string, 'one' | 'list'>();
  for (const name of Symbol.iterator in operators ? (operators as Iterable<string>) : Object.keys(operators))
    table.set(name, (operators as CustomOperators)[name]?.isArray ? 'list' : 'one');

  return table;
}
