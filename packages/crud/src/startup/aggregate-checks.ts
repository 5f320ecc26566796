/** Checks of aggregates and cursors that need more than the options and the catalog: what answers hide, and whether a route has its option. */
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { show } from '../definition/wording.js';
import { aggregatedFields, aggregatedPlace } from '../aggregate/options.js';
import type { Catalog } from '../plan/catalog.js';
import { findField, getNames } from '../plan/resolve-names.js';
import { makePermissions } from '../request/permissions.js';
import { judgeForAnybody } from '../visibility/index.js';
import type { CrudResource } from './find-resources.js';

/** `routes` asks for aggregates, but nothing says of which fields. */
export function* aggregatesSomething({ definition: { options, routes } }: CrudResource): Generator<string> {
  if (routes.has('aggregateBase') && options.query.aggregate === undefined)
    yield 'routes has aggregateBase, but no field may be grouped or computed: list in query.aggregate what clients may group by and compute';
}

/** A field in `query.aggregate` whose values no answer shows as they are stored: groups, least and largest values would show them, counts and sums would reveal something of them. */
export function* aggregatesWhatIsShown(definition: ResourceDefinition, catalog: Catalog): Generator<string> {
  const { query } = definition.options;
  if (query.aggregate === undefined) return;

  const permissions = makePermissions(query, catalog, judgeForAnybody(definition, catalog));
  for (const { option, field } of aggregatedFields(definition)) {
    if (aggregatedPlace(definition, catalog, field) && !permissions.mayShow(field))
      yield `${option}, but responses hide or change ${field}, and an aggregate would reveal its values: remove it, show it in responses, or name it in query.formats if its @Transform() only formats it`;
  }
}

/** A default sort by a value that no answer shows as it is stored: cursors would show it. */
export function* sortsCursorsByWhatIsShown(definition: ResourceDefinition, catalog: Catalog): Generator<string> {
  const { query } = definition.options;
  if (!query.cursor) return;

  const permissions = makePermissions(query, catalog, judgeForAnybody(definition, catalog));
  for (const { field } of query.sort ?? []) {
    if (findField(getNames(catalog, query), field) && !permissions.mayShow(field))
      yield `query.cursor is true, but a cursor would show ${show(field)} of query.sort, which answers hide or change`;
  }
}
