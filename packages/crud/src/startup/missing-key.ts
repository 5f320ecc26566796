import type { Catalog, CatalogColumn } from '../plan/catalog.js';
import { ROUTES } from '../routes/route-table.js';
import { hasDefaultKey } from '../definition/merge-options.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';

/** The warning for a resource whose default key its entity does not have; undefined if there is none. */
export function missingKey({ options, routes }: ResourceDefinition, catalog: Catalog): string | undefined {
  const single = [...routes].filter((route) => ROUTES[route].single);
  if (!hasDefaultKey(options.params) || catalog.columns.has('id') || single.length === 0) return undefined;

  const remedy =
    catalog.primary.length > 0
      ? `name its key: params: { ${catalog.primary.map(paramOf).join(', ')} }`
      : 'name the routes that need no key in routes.only (getManyBase, createOneBase …), or a column that tells records apart in params';

  return `${single.join(', ')} will answer 404, since params names no primary parameter and ${catalog.model} has no field id, which is the default; ${remedy}`;
}

const TYPES: Partial<Record<CatalogColumn['kind'], string>> = {
  uuid: 'uuid',
  integer: 'number',
  bigint: 'number',
  decimal: 'number',
  float: 'number',
};

function paramOf({ path, kind }: CatalogColumn): string {
  return `${path}: { field: '${path}', type: '${TYPES[kind] ?? 'string'}', primary: true }`;
}
