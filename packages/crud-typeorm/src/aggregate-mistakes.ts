import { aggregatedFields, aggregatedPlace, type Catalog, type ResourceDefinition } from '@nestwright/crud/adapter';
import { getColumn } from '@nestwright/sql';

/**
 * Mistakes that stop the start.
 *
 * @param isBypassed Whether the service overrides how lists are read, which groups would ignore.
 */
export function aggregateMistakes(definition: ResourceDefinition, catalog: Catalog, isBypassed: boolean): string[] {
  const bypassed =
    'query.aggregate is set, but the service overrides createBuilder or doGetMany, which groups would pass ' +
    'by: override aggregateMany, too';

  return [
    ...zonelessGroups(definition, catalog),
    ...(isBypassed && definition.routes.has('aggregateBase') ? [bypassed] : []),
  ];
}

/** Groups by columns whose time zone is unknown. */
function zonelessGroups(definition: ResourceDefinition, catalog: Catalog): string[] {
  return [...aggregatedFields(definition)].flatMap(({ option, field, function: name }) => {
    const column = name === undefined ? aggregatedPlace(definition, catalog, field)?.column : undefined;
    const stored = column?.kind === 'datetime' ? getColumn(column) : undefined;
    const reason = stored && stored.table.database.dialect.aggregates.unknownZone(stored);

    return reason === undefined ? [] : [`${option}, ${reason}`];
  });
}
