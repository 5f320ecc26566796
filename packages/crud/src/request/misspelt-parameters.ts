import { Logger } from '@nestjs/common';
import { type ParameterName, QUERY_PARAMETERS } from '@nestwright/crud-request';
import { nameOneEditFrom } from '../definition/one-edit.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { getOrInsert, oncePerPair } from '../get-or-insert.js';

/** Most names that are logged, and remembered, for a resource. */
const MAX_REPORTED = 100;
const reported = new WeakMap<ResourceDefinition, Set<string>>();

/** Names of parameters, as a resource has them. */
interface KnownNames {
  readonly all: ReadonlySet<string>;
  /** Those that the route reads. */
  readonly read: readonly string[];
}

const findNames = oncePerPair((definition: ResourceDefinition, parameters: ReadonlySet<ParameterName>): KnownNames => {
  const list = (of: Iterable<ParameterName>): string[] =>
    [...of].flatMap((name) => definition.language.paramNamesMap?.[name] ?? QUERY_PARAMETERS[name].names);

  return { all: new Set(list(Object.keys(QUERY_PARAMETERS) as ParameterName[])), read: list(parameters) };
});

/**
 * Logs parameters that are ignored and look like misspelt ones (`fliter`), each once for a resource; not in production.
 *
 * @param parameters Those that the route reads.
 */
export function reportMisspeltParameters(
  query: unknown,
  definition: ResourceDefinition,
  parameters: ReadonlySet<ParameterName>,
): void {
  if (process.env['NODE_ENV'] === 'production' || typeof query !== 'object' || query === null) return;

  for (const key of Object.keys(query)) {
    const [name = ''] = key.split('[', 1);
    const { all, read } = findNames(definition, parameters);
    const logged = getOrInsert(reported, definition, () => new Set<string>());
    if (all.has(name) || logged.has(name) || logged.size >= MAX_REPORTED) continue;
    const meant = nameOneEditFrom(name, read);
    if (meant === undefined) continue;

    logged.add(name);
    new Logger('Crud').warn(
      `${definition.modelName}: a request has the unknown query parameter ${JSON.stringify(name)}, which is ignored. Did the client mean ${meant}?`,
    );
  }
}
