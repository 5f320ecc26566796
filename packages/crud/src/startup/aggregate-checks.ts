/** Checks of `GET /aggregate` that need more than the options and the catalog: what answers hide, and whether the route has its option. */
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { aggregatedFields, aggregatedPlace } from '../plan/aggregate-checks.js';
import type { Catalog } from '../plan/catalog.js';
import { namesOf } from '../plan/resolve-names.js';
import { permissionsOf } from '../request/permissions.js';
import { shownWithAnyGroups } from '../visibility/index.js';
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

  const permissions = permissionsOf(query, catalog, shownWithAnyGroups(definition, catalog));
  const names = namesOf(catalog, query);
  for (const { option, field } of aggregatedFields(definition)) {
    const place = aggregatedPlace(definition, catalog, field);
    const relation = place?.steps.at(-1)?.path;
    const isConfigured = relation === undefined || names.configured.has(relation);

    if (place && isConfigured && !permissions.mayShow(field))
      yield `${option}, but answers hide ${field} or show it as something else, and an aggregate would tell of its values: take it out, or let answers show it`;
  }
}
