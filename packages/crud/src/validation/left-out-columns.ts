import type { ResourceDefinition } from '../definition/resource-definition.js';
import type { Catalog } from '../plan/catalog.js';
import type { BaseRouteName } from '../routes/route-table.js';
import { ruleTimingOf, rootPlace } from './settable-properties.js';
import { type BodyRules, bodyRulesOf, isWhitelist } from './body-rules.js';
import { declaredProperties } from './declared-properties.js';

const ROUTES_BY_DTO: readonly BaseRouteName[] = [
  'createOneBase',
  'createManyBase',
  'updateOneBase',
  'replaceOneBase',
  'updateManyBase',
  'replaceManyBase',
];

/**
 * The log message on columns that the classes in `dto` omit; `undefined` if they omit none.
 *
 * @example
 * leftOutColumns(definition, catalog); // 'bodies cannot set some columns: CreateUser does not declare role, and …'
 */
export function leftOutColumns(definition: ResourceDefinition, catalog: Catalog): string | undefined {
  const byClass = new Map<string, Set<string>>();

  for (const route of ROUTES_BY_DTO) {
    const rules = definition.routes.has(route) ? bodyRulesOf(definition, route) : undefined;
    const names = rules && isWhitelist(rules) ? leftOutOf(rules, definition, catalog) : [];
    if (!rules || names.length === 0) continue;

    const known = byClass.get(rules.type.name) ?? [];
    byClass.set(rules.type.name, new Set([...known, ...names]));
  }
  if (byClass.size === 0) return undefined;

  const said = Array.from(byClass, ([name, columns]) => `${name} does not declare ${[...columns].join(', ')}`);

  return `bodies cannot set some columns: ${said.join('; ')}. To let a column in, put a rule of class-validator on its property (@Allow() takes any value); to let in all of them, set validation: { whitelist: false }.`;
}

function leftOutOf(rules: BodyRules, { options }: ResourceDefinition, catalog: Catalog): string[] {
  const declared = declaredProperties(rules.type, catalog);
  if (!declared) return [];

  const place = rootPlace(rules, catalog);
  const byRelation = [...catalog.relations.values()]
    .filter(({ path }) => declared.has(path))
    .flatMap(({ references }) => references.map(({ column }) => column.path));
  const byPath = Object.entries(options.params).map(([name, { field }]) => field ?? name);
  const settable = [...catalog.columns.keys()].filter(
    (path) => ruleTimingOf(place, path) === 'whole' && !byRelation.includes(path) && !byPath.includes(path),
  );

  return settable.map((path) => path.split('.')[0] as string).filter((name) => !declared.has(name));
}
