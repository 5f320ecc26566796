import type { ResourceDefinition } from '../definition/resource-definition.js';
import { getOrInsert } from '../get-or-insert.js';
import type { Catalog } from '../plan/catalog.js';
import { ruleTimingOf, rootPlace } from '../validation/settable-properties.js';
import { type BodyRules, bodyRulesOf, isWhitelist } from '../validation/body-rules.js';
import { declaredProperties } from '../validation/declared-properties.js';

/**
 * The log message on columns that the classes in `dto` omit; `undefined` if they omit none.
 *
 * @example
 * undeclaredColumns(definition, catalog); // 'bodies cannot set some columns: CreateUser does not declare role, and …'
 */
export function undeclaredColumns(definition: ResourceDefinition, catalog: Catalog): string | undefined {
  const byClass = new Map<string, Set<string>>();

  for (const route of definition.routes) {
    const rules = bodyRulesOf(definition, route);
    const names = rules && isWhitelist(rules) ? undeclaredIn(rules, definition, catalog) : [];

    for (const name of names) getOrInsert(byClass, rules!.type.name, () => new Set()).add(name);
  }
  if (byClass.size === 0) return undefined;

  const said = Array.from(byClass, ([name, columns]) => `${name} does not declare ${[...columns].join(', ')}`);

  return `bodies cannot set some columns: ${said.join('; ')}. To let a column in, put a rule of class-validator on its property (@Allow() takes any value); to let in all of them, set validation: { whitelist: false }.`;
}

function undeclaredIn(rules: BodyRules, { options }: ResourceDefinition, catalog: Catalog): string[] {
  const declared = declaredProperties(rules.type, catalog);
  if (!declared) return [];

  const place = rootPlace(rules, catalog);
  const byRelation = [...catalog.relations.values()]
    .filter(({ path }) => declared.has(path))
    .flatMap(({ references }) => references.map(({ column }) => column.path));
  const byPath = Object.entries(options.params).map(([name, { field }]) => field ?? name);
  const settable = [...catalog.columns.keys()].filter(
    (path) => ruleTimingOf(place, path) === 'always' && !byRelation.includes(path) && !byPath.includes(path),
  );

  return settable.map((path) => path.split('.')[0] as string).filter((name) => !declared.has(name));
}
