import { getOrInsert } from '../get-or-insert.js';
import type { CrudResource } from './find-resources.js';
import { show } from '../definition/show-value.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';

const labels = new WeakMap<object, string>();

/** Chooses unique names for the resources of an application. */
export function labelResources(resources: readonly CrudResource[]): void {
  const classes = new Map<string, Set<object>>();
  for (const { controller, definition } of resources)
    getOrInsert(classes, definition.controller, () => new Set()).add(controller);

  for (const { controller, definition, paths } of resources) {
    const { controller: name, modelName } = definition;
    const isShared = (classes.get(name)?.size ?? 0) > 1;
    labels.set(controller, isShared ? `${name} (path ${paths.map(show).join(', ')}, model ${modelName})` : name);
  }
}

/** The name of a resource in messages. */
export function labelOf(controller: object, definition: ResourceDefinition): string {
  return labels.get(controller) ?? definition.controller;
}
