/** Definitions and catalogs of resources in; out comes which names a request may see. */
import type { Type as Class } from '@nestjs/common';
import type { CrudOptions } from '../../src/definition/options.js';
import type { ResourceDefinition } from '../../src/definition/resource-definition.js';
import type { Catalog, CatalogColumn, CatalogRelation } from '../../src/plan/catalog.js';
import { findField, getNames } from '../../src/plan/resolve-names.js';
import { type BaseRouteName, ROUTES } from '../../src/routes/route-table.js';
import { judgePaths } from '../../src/visibility/path-states.js';
import { catalog, column } from '../plan/catalogs.js';

export const ALL = Object.keys(ROUTES) as BaseRouteName[];

export const definitionOf = (
  model: Class<unknown>,
  { query = {}, routes = {}, serialize = {} }: Partial<CrudOptions> = {},
  existing: readonly BaseRouteName[] = ALL,
) => {
  const options = { query, routes, params: {}, operators: {} };
  return { model, serialize, options, routes: new Set(existing) } as unknown as ResourceDefinition;
};

/** Those of the names that a request may see. */
export function seen(definition: ResourceDefinition, entity: Catalog, names: readonly string[], options?: object) {
  const judge = judgePaths(definition, entity, options);
  return names.filter((name) => judge(findField(getNames(entity, definition.options.query), name)!) === 'shown');
}

/** A class whose properties have decorators. */
export function decorated(properties: Record<string, PropertyDecorator | readonly PropertyDecorator[]>): Class<object> {
  class Decorated {}
  for (const [name, decorators] of Object.entries(properties))
    for (const decorate of [decorators].flat()) decorate(Decorated.prototype, name);
  return Decorated;
}

type More = Partial<Omit<Catalog, 'relations'>> & { relations?: CatalogRelation[] };

/** An entity of columns; what has a name alone holds texts. */
export function entity(model: Class<unknown>, columns: readonly (string | CatalogColumn)[], more: More = {}): Catalog {
  const all = columns.map((one) => (typeof one === 'string' ? column(one, 'text') : one));
  const { relations, ...others } = more;
  return { ...catalog(model.name, all, relations), target: model, ...others };
}
