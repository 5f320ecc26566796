/** Checks at start-up that the names in `onConflict` form a unique constraint. */
import type { ResourceDefinition, ResourceOptions } from '@nestwright/crud/adapter';
import type { EntityMetadata } from 'typeorm';
import { uniqueColumns } from './statements/unique-columns.js';

/** What is wrong with the names, by route. */
export function upsertMistakes(
  metadata: EntityMetadata,
  routes: ResourceDefinition['routes'],
  options: ResourceOptions['routes'],
): string[] {
  return (['createOneBase', 'createManyBase'] as const).flatMap((route) => {
    const names = options[route]?.onConflict;
    const columns = names && routes.has(route) ? uniqueColumns(metadata, names) : [];

    return typeof columns === 'string'
      ? [`routes.${route}.onConflict is ${JSON.stringify(names)}, but ${columns}`]
      : [];
  });
}
